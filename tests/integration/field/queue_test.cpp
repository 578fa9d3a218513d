// F21: those who come when every place is taken may wait for one.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/metrics_page.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/together.hpp"
#include "support/expect_json.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <vector>

namespace openenv {
namespace test {
namespace {

using Sessions = std::vector<std::unique_ptr<RawWebSocket>>;

constexpr const char* kState = R"({"type":"state"})";

double queue_length(const RunningServer& server) {
    return MetricsPage::of(server.port()).value("openenv_queue_length");
}

bool waits(const RunningServer& server, std::size_t count) {
    return eventually([&] { return queue_length(server) == static_cast<double>(count); });
}

TEST(Field, F21ABurstWaitsForPlacesInsteadOfBeingShed) {
    constexpr std::size_t kLimit = 4;
    constexpr std::size_t kPeers = 16;
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(kLimit);
    config.queue_depth = kPeers;
    RunningServer server(probe_entry(probe), config);
    Gate everybody_waits;
    std::atomic<std::size_t> served{0};
    auto opener = std::async(std::launch::async, [&] {
        everybody_waits.wait_for_arrivals(kPeers);
        EXPECT_TRUE(waits(server, kPeers - kLimit));
        everybody_waits.open();
        probe.gate.open();
    });
    together(kPeers, [&](std::size_t) {
        RawWebSocket session(server.port());
        everybody_waits.pass();
        EXPECT_EQ(session.ask(Probe::kWait)["type"], "observation");
        ++served;
        close_session(session);
    });
    opener.get();
    EXPECT_EQ(served, kPeers);
    EXPECT_LE(probe.life.most_live(), kLimit);
    EXPECT_FALSE(log.has("session refused"));
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    const MetricsPage metrics = MetricsPage::of(server.port());
    EXPECT_EQ(metrics.value("openenv_queue_wait_seconds_count"), kPeers);
    EXPECT_EQ(metrics.value("openenv_sessions_opened_total"), kPeers);
}

TEST(Field, F21WithoutAQueueTheRestOfABurstIsRefusedAtOnce) {
    constexpr std::size_t kLimit = 4;
    constexpr std::size_t kPeers = 16;
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(kLimit));
    Sessions sessions(kPeers);
    together(kPeers, [&](std::size_t i) { sessions[i] = try_session(server.port(), kLimit); });
    EXPECT_EQ(std::count(sessions.begin(), sessions.end(), nullptr), kPeers - kLimit);
    EXPECT_EQ(queue_length(server), 0);
}

TEST(Field, F21TheQueueIsFirstComeFirstServed) {
    constexpr std::size_t kWaiting = 5;
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(1);
    config.queue_depth = kWaiting;
    RunningServer server(probe_entry(probe), config);
    auto holder = open_session(server.port());
    Sessions waiting;
    for (std::size_t i = 0; i != kWaiting; ++i) {
        waiting.push_back(std::make_unique<RawWebSocket>(server.port()));
        waiting.back()->send_text(kState);
        ASSERT_TRUE(waits(server, i + 1));
    }
    EXPECT_EQ(try_session(server.port(), 1), nullptr) << "the queue is full";
    for (std::size_t i = 0; i != kWaiting; ++i) {
        for (std::size_t later = i; later != kWaiting; ++later) {
            EXPECT_FALSE(waiting[later]->readable()) << later << " came before " << i;
        }
        close_session(*holder);
        holder = std::move(waiting[i]);
        EXPECT_EQ(holder->receive_json()["type"], "state");
        EXPECT_EQ(server.active_sessions(), 1U);
    }
    EXPECT_EQ(probe.life.most_live(), 1U);
}

TEST(Field, F21WhoLeavesTheQueueFreesItsPlace) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(1);
    config.queue_depth = 2;
    RunningServer server(probe_entry(probe), config);
    const auto holder = open_session(server.port());
    auto leaving = std::make_unique<RawWebSocket>(server.port());
    ASSERT_TRUE(waits(server, 1));
    RawWebSocket staying(server.port());
    staying.send_text(kState);
    ASSERT_TRUE(waits(server, 2));
    EXPECT_EQ(try_session(server.port(), 1), nullptr);
    leaving->socket().abort();
    ASSERT_TRUE(waits(server, 1));
    RawWebSocket last(server.port());
    last.send_text(kState);
    ASSERT_TRUE(waits(server, 2));
    close_session(*holder);
    EXPECT_EQ(staying.receive_json()["type"], "state");
    EXPECT_FALSE(last.readable());
    close_session(staying);
    EXPECT_EQ(last.receive_json()["type"], "state");
    EXPECT_EQ(MetricsPage::of(server.port()).value("openenv_queue_left_total"), 1);
}

TEST(Field, F21WhoWaitsTooLongIsRefused) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(1);
    config.queue_depth = 2;
    config.queue_timeout = std::chrono::milliseconds(50);
    RunningServer server(probe_entry(probe), config);
    const auto holder = open_session(server.port());
    EXPECT_EQ(try_session(server.port(), 1), nullptr);
    const MetricsPage metrics = MetricsPage::of(server.port());
    EXPECT_EQ(metrics.value("openenv_refused_total", {{"reason", "queue_timeout"}}), 1);
    EXPECT_EQ(metrics.value("openenv_refused_total", {{"reason", "capacity"}}), 0);
    EXPECT_TRUE(log.has("within the queue timeout"));
    expect_alive(*holder);
}

TEST(Field, F21AServerThatStopsSendsAwayWhoWaits) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(1);
    config.queue_depth = 2;
    RunningServer server(probe_entry(probe), config);
    const auto holder = open_session(server.port());
    RawWebSocket waiting(server.port());
    ASSERT_TRUE(waits(server, 1));
    auto stopping = std::async(std::launch::async, [&] { return server.stop(); });
    EXPECT_EQ(waiting.receive_close().code, 1001);
    EXPECT_EQ(holder->receive_close().code, 1001);
    EXPECT_EQ(stopping.get(), 0U);
}

TEST(Field, F21OnePeerCanBeKeptFromTakingEveryPlace) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(8);
    config.max_sessions_per_peer = 2;
    config.queue_depth = 8;
    RunningServer server(probe_entry(probe), config);
    const auto first = open_session(server.port());
    const auto second = open_session(server.port());
    RawWebSocket third(server.port());
    const Json refusal = third.receive_json();
    EXPECT_THAT(refusal, is_error("CAPACITY_REACHED"));
    EXPECT_EQ(refusal["data"]["active_sessions"], 2);
    EXPECT_EQ(refusal["data"]["max_sessions"], 2);
    const std::string message = refusal["data"]["message"].as_string();
    EXPECT_NE(message.find("127.0.0.1"), std::string::npos) << message;
    EXPECT_NE(message.find("--max-sessions-per-peer"), std::string::npos) << message;
    EXPECT_EQ(third.receive_close().code, 1000);
    close_session(*second);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 1; }));
    const auto next = open_session(server.port());
    const MetricsPage metrics = MetricsPage::of(server.port());
    EXPECT_EQ(metrics.value("openenv_refused_total", {{"reason", "per_peer"}}), 1);
}

}  // namespace
}  // namespace test
}  // namespace openenv
