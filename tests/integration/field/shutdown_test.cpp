// F29: the server is told to stop while answers wait to be read.
#include "integration/support/admission.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "support/gate.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kSessions = 32;
constexpr std::size_t kAnswerBytes = 1'000'000;
/// Of these one may be on its way into the network's buffers, the rest has to wait.
constexpr std::size_t kAnswers = 6;

using Sessions = std::vector<std::unique_ptr<RawWebSocket>>;

/// Sessions that have asked for more than they have read.
Sessions open_without_reading(const RunningServer& server, Probe& probe) {
    Sessions sessions;
    for (std::size_t i = 0; i != kSessions; ++i) {
        sessions.push_back(open_session(server.port()));
        for (std::size_t k = 0; k != kAnswers; ++k) {
            sessions.back()->send_text(Probe::bulk(kAnswerBytes));
        }
    }
    for (const auto& session : sessions) {
        session->socket().wait_readable();
    }
    probe.life.wait_for_steps(kSessions);
    return sessions;
}

/// Reads answers until the close frame comes.
WsClose read_to_close(RawWebSocket& session) {
    std::size_t answer = 0;
    for (;;) {
        WsFrame frame = session.receive_frame();
        if (frame.opcode == Opcode::close) {
            session.try_send_frame(Opcode::close, frame.payload);
            const auto high = static_cast<unsigned char>(frame.payload.at(0));
            const auto low = static_cast<unsigned char>(frame.payload.at(1));
            return {high << 8 | low, frame.payload.substr(2)};
        }
        EXPECT_GT(frame.payload.size(), kAnswerBytes) << "answer " << answer;
        ++answer;
    }
}

TEST(Field, F29StopDeliversWhatWasUnderWayAndSaysGoodbye) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(kSessions);
    config.shutdown_grace = kHangBound;
    RunningServer server(probe_entry(probe), config);
    const Sessions sessions = open_without_reading(server, probe);
    auto stopped = std::async(std::launch::async, [&] { return server.stop(); });
    for (const auto& session : sessions) {
        EXPECT_EQ(read_to_close(*session).code, 1001);
        session->socket().close();
    }
    EXPECT_EQ(stopped.get(), 0U);
    EXPECT_FALSE(log.has("the grace time is over"));
    EXPECT_EQ(probe.life.live(), 0U);
    EXPECT_EQ(probe.life.closes(), kSessions);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

TEST(Field, F29StopEndsWithinTheGraceTimeWhenNobodyReads) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(kSessions);
    config.shutdown_grace = milliseconds(300);
    config.close_timeout = milliseconds(1000);
    RunningServer server(probe_entry(probe), config);
    const Sessions sessions = open_without_reading(server, probe);
    EXPECT_EQ(server.stop(), 0U);
    EXPECT_EQ(server.active_sessions(), 0U);
    EXPECT_EQ(probe.life.live(), 0U);
    EXPECT_EQ(probe.life.closes(), kSessions);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

/// Ends with a close frame, or finds no server any more. The code of the close, if there was one.
std::optional<int> connect_once(std::uint16_t port) {
    try {
        RawWebSocket session(port);
        if (!session.accepted()) {
            return std::nullopt;
        }
        return read_to_close(session).code;
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
}

TEST(Field, F29PeersThatConnectWhileTheServerStopsDoNotHoldItUp) {
    for (std::size_t round = 0; round != rounds(20, 1000); ++round) {
        LogCapture log;
        Probe probe;
        ServerConfig config = quick_config(kSessions);
        config.shutdown_grace = std::chrono::seconds(2);
        RunningServer server(probe_entry(probe), config);
        Gate connecting;
        connecting.open();
        std::vector<std::future<void>> peers;
        for (std::size_t i = 0; i != 8; ++i) {
            peers.push_back(std::async(std::launch::async, [&] {
                connecting.pass();
                if (const auto code = connect_once(server.port())) {
                    EXPECT_EQ(*code, 1001);
                }
            }));
        }
        connecting.wait_for_arrivals(peers.size());
        EXPECT_EQ(server.stop(), 0U);
        for (auto& peer : peers) {
            ASSERT_EQ(peer.wait_for(kHangBound / 3), std::future_status::ready)
                << "still connected after the end; round " << round;
        }
        ASSERT_FALSE(log.has("the grace time is over")) << "round " << round;
        ASSERT_EQ(probe.life.live(), 0U);
        ASSERT_EQ(probe.life.wrong_closes(), 0U);
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
