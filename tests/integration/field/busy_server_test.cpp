// F11, F13, F56 and F62: a server with much to do, and with steps that do not come back.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/metrics_page.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/process_figures.hpp"
#include "integration/support/rounds.hpp"
#include "integration/support/together.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <openenv/env/typed_environment.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
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
        EXPECT_EQ(http_get(server.port(), "/health").body, R"({"status":"healthy"})");
        EXPECT_EQ(http_get(server.port(), "/schema").status, 200);
    }
    const MetricsPage metrics = MetricsPage::of(server.port());
    EXPECT_EQ(metrics.value("openenv_workers_busy"), kWorkers);
    EXPECT_EQ(metrics.value("openenv_workers_max"), kWorkers);
    EXPECT_EQ(metrics.value("openenv_workers_saturation_ratio"), 1.0);
    EXPECT_TRUE(eventually([&] {
        return MetricsPage::of(server.port()).value("openenv_workers_queue_length") == 1;
    }));
    EXPECT_EQ(http_get(server.port(), "/sessions").status, 200);
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

/// Notes on which thread each instance is built: inline, the io thread of its connection.
class Located : public Environment<ProbeAction, ProbeObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr Execution execution = Execution::inline_fast;

    explicit Located(std::mutex& mutex, std::map<std::thread::id, std::size_t>& places) {
        const std::scoped_lock lock(mutex);
        ++places[std::this_thread::get_id()];
    }
    ProbeObservation reset(const ResetOptions&) override { return {}; }
    ProbeObservation step(const ProbeAction&, const StepOptions&) override { return {}; }
    [[nodiscard]] const State& state() const override { return state_; }

private:
    State state_;
};

TEST(Field, F62AStormIsSpreadEvenlyOverTheThreads) {
    constexpr std::size_t kIoThreads = 4;
    const std::size_t sessions = rounds(400, 4000);
    std::mutex mutex;
    std::map<std::thread::id, std::size_t> places;
    EnvironmentEntry entry = environment_entry<Located>("located", [&] {
        return std::make_unique<Located>(mutex, places);
    });
    ServerConfig config = quick_config(sessions);
    config.threads = kIoThreads;
    config.inline_budget = std::chrono::seconds(60);  // nothing is moved, however slow the machine
    LogCapture log;
    RunningServer server(std::move(entry), config);
    Sessions all;
    for (std::size_t i = 0; i != sessions; ++i) {
        all.push_back(open_session(server.port()));
    }
    ASSERT_EQ(places.size(), kIoThreads);
    const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto [least, most] = std::minmax_element(places.begin(), places.end(), by_count);
    EXPECT_LE(static_cast<double>(most->second), 1.2 * static_cast<double>(least->second));
}

TEST(Field, F62ManyPeersThatConnectInOneBreathAreAllServed) {
    const std::size_t peers = rounds(512, 8192);
    if (open_descriptors() + 2 * peers + 64 > descriptor_limit()) {
        GTEST_SKIP() << "ulimit -n is too low for " << 2 * peers << " sockets";
    }
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(4));
    std::vector<std::unique_ptr<Socket>> all;
    for (std::size_t i = 0; i != peers; ++i) {
        all.push_back(std::make_unique<Socket>(server.port()));
    }
    for (const auto& peer : all) {
        peer->send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    for (const auto& peer : all) {
        std::string buffer;
        EXPECT_EQ(read_http_reply(*peer, buffer).status, 200);
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
