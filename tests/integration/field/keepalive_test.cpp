// F04, F05 and F27: pings while the server is busy, and the end of a session that is idle.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/expect_json.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>

namespace openenv {
namespace test {
namespace {

using std::chrono::milliseconds;

void expect_pongs(RawWebSocket& session) {
    for (const char* payload : {"one", "two", "three", "", "five"}) {
        session.send_ping(payload);
        const WsFrame frame = session.receive_frame();
        EXPECT_EQ(frame.opcode, Opcode::pong);
        EXPECT_EQ(frame.payload, payload);
    }
}

/// Answers pings and returns the first frame that is none.
WsFrame after_pings(RawWebSocket& session) {
    for (;;) {
        WsFrame frame = session.receive_frame();
        if (frame.opcode != Opcode::ping) {
            return frame;
        }
        session.send_frame(Opcode::pong, frame.payload);
    }
}

TEST(Field, F04PingsAreAnsweredDuringAStepAndALargeAnswer) {
    constexpr std::size_t kLarge = 50'000'000;
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(3);
    config.threads = 1;  // every connection on one thread: nothing may hold it up
    RunningServer server(probe_entry(probe), config);
    const auto computing = open_session(server.port());
    computing->send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    expect_pongs(*computing);

    const auto downloading = open_session(server.port());
    downloading->send_text(Probe::bulk(kLarge));
    downloading->socket().wait_readable();  // and read nothing of it for now
    expect_pongs(*computing);
    const auto bystander = open_session(server.port());
    expect_pongs(*bystander);
    expect_alive(*bystander);

    const Json answer = downloading->receive_json();
    EXPECT_EQ(answer["data"]["observation"]["text"].as_string().size(), kLarge);
    probe.gate.open();
    EXPECT_THAT(computing->receive_json(), contains_json(R"({"type":"observation"})"));
}

/// More messages than the server reads ahead. It pings while it does not read, and must not take
/// its own silence for the peer's.
TEST(Field, F04APeerThatSendsAheadIsNotTakenForDead) {
    constexpr std::size_t kSteps = 100;
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(2);
    config.ping_interval = milliseconds(200);
    config.ping_timeout = milliseconds(200);
    config.close_timeout = milliseconds(1000);
    RunningServer server(probe_entry(probe), config);
    const auto eager = open_session(server.port());
    eager->send_text(Probe::kWait);
    for (std::size_t i = 1; i != kSteps; ++i) {
        eager->send_text(Probe::kStep);
    }
    auto first_answer = std::async(std::launch::async, [&] { return after_pings(*eager); });
    // A peer that is really silent measures the time: it is given up after twice the interval.
    const auto silent = open_session(server.port());
    silent->leave_pings_unanswered();
    EXPECT_EQ(silent->receive_close().code, 1011);
    probe.gate.open();
    const WsFrame first = first_answer.get();
    ASSERT_EQ(first.opcode, Opcode::text) << "given up: " << first.payload.substr(2);
    for (std::size_t i = 1; i != kSteps; ++i) {
        EXPECT_EQ(eager->receive_json()["type"], "observation") << i;
    }
}

TEST(Field, F05APeerThatOnlyAnswersPingsIsKept) {
    constexpr int kSilentPeers = 2;
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(2);
    config.ping_interval = milliseconds(100);
    config.ping_timeout = milliseconds(1000);
    config.close_timeout = milliseconds(1000);
    RunningServer server(probe_entry(probe), config);
    const auto quiet = open_session(server.port());
    auto ended = std::async(std::launch::async, [&] { return after_pings(*quiet); });
    // Each of these lives for its whole time, and is given up.
    for (int i = 0; i != kSilentPeers; ++i) {
        const auto silent = wait_for_session(server.port(), 2);
        silent->leave_pings_unanswered();
        EXPECT_EQ(silent->receive_close().code, 1011);
    }
    EXPECT_EQ(ended.wait_for(milliseconds(0)), std::future_status::timeout) << "it was given up";
    quiet->send_text(Probe::kStep);
    EXPECT_EQ(ended.get().opcode, Opcode::text);
}

TEST(Field, F27AnIdleSessionIsToldWhyItEnds) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(1);
    config.session_timeout = milliseconds(50);
    RunningServer server(probe_entry(probe), config);
    RawWebSocket session(server.port());
    const Json frame = session.receive_json();
    EXPECT_THAT(frame, is_error("SESSION_ERROR"));
    EXPECT_THAT(frame["data"]["message"].as_string(), testing::HasSubstr("idle 0.05 s"));
    EXPECT_EQ(session.receive_close(), (WsClose{1000, "idle 0.05 s"}));
    session.socket().wait_for_end();
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    EXPECT_EQ(probe.life.closes(), 1U);
}

TEST(Field, F27ACallThatRunsIsNotIdle) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(2);
    config.session_timeout = milliseconds(1000);
    RunningServer server(probe_entry(probe), config);
    RawWebSocket busy(server.port());
    busy.send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    RawWebSocket idle(server.port());  // came later, and its time is over first
    EXPECT_THAT(idle.receive_json(), is_error("SESSION_ERROR"));
    probe.gate.open();
    EXPECT_EQ(busy.receive_json()["type"], "observation");
}

}  // namespace
}  // namespace test
}  // namespace openenv
