// What a client that asks for extensions may say and reads, and what others do not notice.
#include "integration/support/probe_environment.hpp"
#include "support/expect_json.hpp"
#include "support/log_capture.hpp"
#include "support/open_at_end.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;

class Extensions : public testing::Test {
protected:
    /// Opens a connection that asks for these.
    RawWebSocket connect(std::string_view features, std::string_view target = "/ws") {
        const Headers headers{{"OpenEnv-Accept", std::string(features)}};
        return RawWebSocket(server.port(), target, headers);
    }

    Probe probe;
    RunningServer server{probe_entry(probe), quick_config(8)};
    const OpenAtEnd opening{probe.gate};
};

TEST_F(Extensions, AreGrantedWhenAskedForAndKnown) {
    EXPECT_EQ(
        connect("ids, deadline, teleport, batch").handshake_reply().header("OpenEnv-Features"),
        "ids, deadline, batch"
    );
    EXPECT_EQ(connect("batch").handshake_reply().header("OpenEnv-Features"), "batch");
    EXPECT_FALSE(connect("teleport").handshake_reply().has_header("OpenEnv-Features"));
    EXPECT_FALSE(RawWebSocket(server.port()).handshake_reply().has_header("OpenEnv-Features"));
}

TEST_F(Extensions, MayBeAskedForByTheQuery) {
    for (const char* target :
         {"/ws?openenv-accept=ids,deadline", "/ws?a=b&openenv-accept=ids%2Cdeadline"}) {
        const RawWebSocket peer(server.port(), target);
        EXPECT_EQ(peer.handshake_reply().header("OpenEnv-Features"), "ids, deadline") << target;
    }
}

TEST_F(Extensions, AreUnknownKeysToEverybodyElse) {
    RawWebSocket peer(server.port());
    EXPECT_THAT(
        peer.ask(R"({"type":"state","x":{"id":1}})"), is_validation_error({"extra_forbidden @ x"})
    );
    EXPECT_EQ(peer.ask(Probe::kStep)["type"], "observation");
}

TEST_F(Extensions, IdsComeBackWithEveryAnswer) {
    RawWebSocket peer = connect("ids");
    const auto id_of = [&peer](std::string_view message) { return peer.ask(message)["x"]["id"]; };
    EXPECT_EQ(id_of(R"({"type":"reset","x":{"id":1}})"), 1);
    EXPECT_EQ(id_of(R"({"type":"step","data":{"what":"a"},"x":{"id":"b"}})"), "b");
    EXPECT_EQ(id_of(R"({"type":"state","x":{"id":3}})"), 3);
    EXPECT_EQ(id_of(R"({"type":"step","data":{"what":"throw"},"x":{"id":4}})"), 4);
    EXPECT_EQ(id_of(R"({"type":"step","data":{},"x":{"id":5}})"), 5);
    EXPECT_EQ(id_of(R"({"type":"step","x":{"id":6}})"), 6);
    EXPECT_EQ(id_of(R"({"type":"bogus","x":{"id":7}})"), 7);
    EXPECT_EQ(
        id_of(R"({"type":"mcp","data":{"jsonrpc":"2.0","id":1,"method":"tools/list"},"x":{"id":8}})"
        ),
        8
    );
    EXPECT_EQ(peer.ask(Probe::kStep).find("x"), nullptr);
}

TEST_F(Extensions, IdsMayRepeatAndAnswersStayInOrder) {
    RawWebSocket peer = connect("ids");
    peer.send_text(R"({"type":"step","data":{"what":"wait"},"x":{"id":1}})");
    peer.send_text(R"({"type":"step","data":{"what":"second"},"x":{"id":1}})");
    peer.send_text(R"({"type":"state","x":{"id":2}})");
    probe.gate.wait_for_arrivals(1);
    probe.gate.open();
    EXPECT_THAT(peer.receive_json(), contains_json(R"({"type":"observation","x":{"id":1}})"));
    EXPECT_THAT(peer.receive_text(), HasSubstr("second"));
    EXPECT_THAT(peer.receive_json(), contains_json(R"({"type":"state","x":{"id":2}})"));
}

TEST_F(Extensions, ADeadlineEndsAStepAndNamesThePhase) {
    LogCapture log;
    RawWebSocket peer = connect("ids, deadline");
    const Json late =
        peer.ask(R"({"type":"step","data":{"what":"wait"},"x":{"id":1,"timeout_s":0.05}})");
    EXPECT_THAT(late, contains_json(R"({"type":"error","data":{"code":"EXECUTION_ERROR"},
                                        "x":{"id":1,"timeout":"running"}})"));
    // The environment is not to be trusted until a reset has built another.
    EXPECT_THAT(peer.ask(Probe::kStep), is_error("EXECUTION_ERROR"));
    EXPECT_EQ(peer.ask(R"({"type":"reset"})")["type"], "observation");
    EXPECT_EQ(peer.ask(Probe::kStep)["type"], "observation");
}

TEST_F(Extensions, ADeadlineCountsFromTheArrivalOfTheMessage) {
    LogCapture log;
    ServerConfig config = quick_config(2);
    config.workers = 1;
    Probe other;
    RunningServer narrow(probe_entry(other), config);
    const OpenAtEnd opens(other.gate);
    RawWebSocket busy(narrow.port());
    EXPECT_EQ(busy.ask(Probe::kStep)["type"], "observation");
    const Headers headers{{"OpenEnv-Accept", "deadline"}};
    RawWebSocket queued(narrow.port(), "/ws", headers);
    EXPECT_EQ(queued.ask(Probe::kStep)["type"], "observation");
    busy.send_text(Probe::kWait);
    other.gate.wait_for_arrivals(1);
    const Json late = queued.ask(R"({"type":"step","data":{"what":"a"},"x":{"timeout_s":0.05}})");
    EXPECT_THAT(late["x"], equals_json(R"({"timeout":"queued"})"));
    other.gate.open();
    // It never began: the episode goes on.
    EXPECT_EQ(busy.receive_json()["type"], "observation");
    EXPECT_EQ(queued.ask(Probe::kStep)["type"], "observation");
}

}  // namespace
}  // namespace test
}  // namespace openenv
