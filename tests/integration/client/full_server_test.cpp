// Servers without a free place.
#include "integration/client/echo_script.hpp"
#include "integration/client/outcome.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "support/log_capture.hpp"
#include "support/running_server.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <string>

namespace openenv {
namespace test {
namespace {

constexpr const char* kFull =
    R"({"type":"error","data":{"message":"Server at capacity: 1/1 sessions active. Cannot accept )"
    R"(new connections.","code":"CAPACITY_REACHED","active_sessions":1,"max_sessions":1}})";
constexpr const char* kSaid =
    "Server error: Server at capacity: 1/1 sessions active. Cannot accept new connections. (code: "
    "CAPACITY_REACHED)";

void call(GenericEnvClient& client, std::size_t which) {
    if (which % 3 == 0) {
        (void)client.sync().reset();
    } else if (which % 3 == 1) {
        (void)client.sync().step(numbered(1));
    } else {
        (void)client.sync().state();
    }
}

TEST(Conformance, Case297TheCapacityErrorIsSeenHoweverFastTheCloseIs) {
    for (std::size_t i = 0; i != rounds(36, 1200); ++i) {
        std::promise<void> ended;
        ScriptedServer server([&](ScriptedPeer& peer) {
            if (peer.number() != 0) {
                echo(peer);
                return;
            }
            peer.send(kFull);
            peer.close(1000);
            ended.set_value();
        });
        GenericEnvClient client(server.url(), quick());
        if (i % 4 != 3) {
            client.sync().connect();
        }
        if (i % 4 == 0) {
            ended.get_future().get();  // the close has overtaken the question
        }
        const Error error = thrown_by<CapacityReached>([&] { call(client, i); });
        EXPECT_EQ(error.message, kSaid);
        EXPECT_EQ(error.server_code, "CAPACITY_REACHED");
        // There never was a session that could be lost.
        EXPECT_EQ(client.sync().step(numbered(2)).observation["k"], 2);
        EXPECT_EQ(server.connections(), 2U);
    }
}

TEST(Conformance, Case297WithOurServer) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const std::string url = server.url();
    GenericEnvClient first(url, quick());
    first.sync().reset();
    GenericEnvClient second(url, quick());
    second.sync().connect();
    const Error error = thrown_by<CapacityReached>([&] { return second.sync().reset(); });
    EXPECT_EQ(error.message, kSaid);
    EXPECT_EQ(error.server_code, "CAPACITY_REACHED");
    EXPECT_EQ(first.sync().state()["step_count"], 0) << "the first one is unharmed";
    first.sync().close();
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    EXPECT_FALSE(second.sync().reset().done);
    EXPECT_EQ(second.sync().state()["step_count"], 0);
}

}  // namespace
}  // namespace test
}  // namespace openenv
