// F11, F13, F56 and F62: a server with much to do, and with steps that do not come back.
#include "integration/support/admission.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "integration/support/together.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using Sessions = std::vector<std::unique_ptr<RawWebSocket>>;

Sessions open_sessions(const RunningServer& server, std::size_t count) {
    Sessions sessions;
    for (std::size_t i = 0; i != count; ++i) {
        sessions.push_back(open_session(server.port()));
    }
    return sessions;
}

TEST(Field, F11AStepThatDoesNotReturnCostsOneSession) {
    constexpr std::size_t kSessions = 32;
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(kSessions));
    const Sessions sessions = open_sessions(server, kSessions);
    sessions.front()->send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    for (std::size_t step = 0; step != rounds(20, 2000); ++step) {
        for (std::size_t i = 1; i != kSessions; ++i) {
            ASSERT_EQ(sessions[i]->ask(Probe::kStep)["type"], "observation");
        }
    }
    probe.gate.open();
    EXPECT_EQ(sessions.front()->receive_json()["type"], "observation");
}

TEST(Field, F13HealthDoesNotQueueBehindWork) {
    constexpr std::size_t kWorkers = 2;
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(4);
    config.workers = kWorkers;
    config.threads = 1;
    RunningServer server(probe_entry(probe), config);
    const Sessions sessions = open_sessions(server, kWorkers + 1);
    for (std::size_t i = 0; i != kWorkers; ++i) {
        sessions[i]->send_text(Probe::kWait);
    }
    probe.gate.wait_for_arrivals(kWorkers);
    sessions.back()->send_text(Probe::kStep);  // has to wait for a worker
    for (int i = 0; i != 50; ++i) {
        EXPECT_EQ(http_get(server.port(), "/health").status, 200);
        EXPECT_EQ(http_get(server.port(), "/schema").status, 200);
    }
    EXPECT_FALSE(sessions.back()->socket().readable());
    probe.gate.open();
    for (const auto& session : sessions) {
        EXPECT_EQ(session->receive_json()["type"], "observation");
    }
}

TEST(Field, F56BlockingStepsRunSideBySide) {
    constexpr std::size_t kSessions = 256;
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(kSessions));
    const Sessions sessions = open_sessions(server, kSessions);
    for (const auto& session : sessions) {
        session->send_text(Probe::kWait);
    }
    probe.gate.wait_for_arrivals(kSessions);  // all of them are in their step at this moment
    probe.gate.open();
    for (const auto& session : sessions) {
        EXPECT_EQ(session->receive_json()["type"], "observation");
    }
}

TEST(Field, F62AStormOfConnectionsIsAdmitted) {
    constexpr std::size_t kThreads = 32;
    constexpr std::size_t kEach = 10;
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(kThreads * kEach));
    for (std::size_t round = 0; round != rounds(1, 200); ++round) {
        together(kThreads, [&](std::size_t) {
            Sessions mine;
            for (std::size_t i = 0; i != kEach; ++i) {
                mine.push_back(wait_for_session(server.port(), kThreads * kEach));
            }
            for (const auto& session : mine) {
                expect_alive(*session);
            }
        });
        ASSERT_FALSE(log.has("no new connections")) << "round " << round;
    }
    EXPECT_LE(probe.life.most_live(), kThreads * kEach);
}

}  // namespace
}  // namespace test
}  // namespace openenv
