// F16 and F28: peers that are gone, with and without a word.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/lost_sessions.hpp"
#include "integration/support/metrics_page.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/process_figures.hpp"
#include "integration/support/rounds.hpp"
#include "integration/support/together.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

namespace openenv {
namespace test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLimit = 8;

/// A server that notices soon when a peer has vanished.
struct WatchfulServer {
    static ServerConfig config() {
        ServerConfig config = quick_config(kLimit);
        config.ping_interval = milliseconds(50);
        config.ping_timeout = milliseconds(150);
        config.close_timeout = milliseconds(1000);
        return config;
    }
    [[nodiscard]] bool is_idle() const {
        return running.active_sessions() == 0 && probe.life.live() == 0;
    }

    Probe probe;
    RunningServer running{pinned_probe_entry(probe), config()};
};

TEST(Field, F16PlacesOfHalfOpenConnectionsComeBack) {
    LogCapture log;
    // A round takes more than a second, nearly all of it waiting: `make soak` plays its 10,000 on
    // several servers at once.
    std::vector<std::unique_ptr<WatchfulServer>> servers(rounds(1, 20));
    for (auto& server : servers) {
        server = std::make_unique<WatchfulServer>();
    }
    const std::size_t descriptors = open_descriptors();
    together(servers.size(), [&](std::size_t i) {
        WatchfulServer& server = *servers[i];
        for (std::size_t round = 0; round != rounds(4, 500); ++round) {
            lose_all_sessions(server.running.port(), kLimit, server.probe.life);
            ASSERT_TRUE(eventually([&] { return server.is_idle(); })) << "round " << round;
        }
    });
    EXPECT_TRUE(eventually([&] { return open_descriptors() == descriptors; }))
        << open_descriptors() << " descriptors instead of " << descriptors;
    for (const auto& server : servers) {
        EXPECT_EQ(server->probe.life.wrong_closes(), 0U);
        EXPECT_LE(server->probe.life.most_live(), kLimit);
    }
}

TEST(Field, F16ShippedDefaultsAddUpTo45SecondsAtMost) {
    const ServerConfig config;
    EXPECT_LE(
        config.ping_interval + config.ping_timeout + config.close_timeout, kPromisedForLostPeers
    );
}

TEST(Field, F28StepsOfPeersThatLeftAreAskedToStop) {
    constexpr std::size_t kPeers = 64;
    LogCapture log;
    Probe probe;
    RunningServer server(pinned_probe_entry(probe), quick_config(kPeers + 1));
    const auto bystander = open_session(server.port());
    {
        std::vector<std::unique_ptr<RawWebSocket>> peers;
        for (std::size_t i = 0; i != kPeers; ++i) {
            peers.push_back(open_session(server.port()));
            peers.back()->send_text(Probe::kWaitForStop);
        }
        probe.life.wait_for_steps(kPeers);
        for (std::size_t i = 0; i != kPeers; i += 2) {
            peers[i]->socket().abort(
            );  // the others end without a reset, and without a close frame
        }
    }
    probe.life.wait_for_stops(kPeers);
    probe.life.wait_for_live(1);
    EXPECT_EQ(probe.life.closes(), kPeers);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 1; }));
    EXPECT_TRUE(eventually([&] {
        const MetricsPage metrics = MetricsPage::of(server.port());
        return metrics.value("openenv_sessions_closed_total", {{"reason", "peer_gone"}}) == kPeers;
    }));
    const MetricsPage metrics = MetricsPage::of(server.port());
    // Each was asked for its state, and nothing was sent to anybody after that.
    EXPECT_EQ(
        metrics.value("openenv_messages_sent_total", {{"transport", "websocket"}}), kPeers + 1
    );
    EXPECT_EQ(metrics.value("openenv_abandoned_calls_total"), 0);
    expect_alive(*bystander);
}

TEST(Field, F28AStepThatIgnoresItsStopTokenKeepsItsPlaceUntilItReturns) {
    constexpr std::size_t kPeers = 8;
    LogCapture log;
    Probe probe;
    RunningServer server(pinned_probe_entry(probe), quick_config(kPeers));
    for (std::size_t i = 0; i != kPeers; ++i) {
        const auto peer = open_session(server.port());
        peer->send_text(Probe::kWait);
        probe.gate.wait_for_arrivals(i + 1);
    }
    EXPECT_EQ(try_session(server.port(), kPeers), nullptr);
    EXPECT_EQ(probe.life.live(), kPeers);
    probe.gate.open();
    probe.life.wait_for_live(0);
    EXPECT_EQ(probe.life.closes(), kPeers);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
    const auto next = wait_for_session(server.port(), kPeers);
}

}  // namespace
}  // namespace test
}  // namespace openenv
