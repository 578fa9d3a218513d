// A frame that says why a connection ends arrives, even when the peer is sending at that moment.
#include "integration/support/admission.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "support/expect_json.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <string>

namespace openenv {
namespace test {
namespace {

/// Connects, and while it sends all the time, reads the one frame and the close that must come.
Json last_words(std::uint16_t port, const char* target, std::size_t message_bytes) {
    RawWebSocket peer(port, target);
    const std::string message =
        R"({"type":"step","data":{"what":")" + std::string(message_bytes, 'x') + R"("}})";
    std::atomic<bool> enough{false};
    auto sender = std::async(std::launch::async, [&] {
        while (!enough && peer.try_send_frame(Opcode::text, message)) {
        }
    });
    Json frame;
    try {
        frame = peer.receive_json();
        const WsFrame close = peer.receive_frame();
        EXPECT_EQ(close.opcode, Opcode::close);
    } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
    }
    enough = true;
    sender.get();
    return frame;
}

constexpr std::size_t kSmall = 10;
constexpr std::size_t kLarge = 100'000;

TEST(BadInput, ARefusalIsNotLostWhileThePeerSends) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const auto holder = open_session(server.port());
    for (std::size_t round = 0; round != rounds(50, 5000); ++round) {
        const std::size_t bytes = round % 2 == 0 ? kSmall : kLarge;
        ASSERT_THAT(last_words(server.port(), "/ws", bytes), is_error("CAPACITY_REACHED")) << round;
    }
    expect_alive(*holder);
}

TEST(BadInput, AFactoryErrorIsNotLostWhileThePeerSends) {
    LogCapture log;
    log.expect_error("no board today");
    Probe probe;
    const auto factory = [] { throw std::runtime_error("no board today"); };
    RunningServer server(probe_entry(probe, factory), quick_config(1));
    for (std::size_t round = 0; round != rounds(50, 5000); ++round) {
        const std::size_t bytes = round % 2 == 0 ? kSmall : kLarge;
        const Json frame = last_words(server.port(), "/ws", bytes);
        ASSERT_THAT(frame, testing::AnyOf(is_error("FACTORY_ERROR"), is_error("CAPACITY_REACHED")))
            << round;
    }
}

TEST(BadInput, AnUnknownSessionIdIsNotLostWhileThePeerSends) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    for (std::size_t round = 0; round != rounds(20, 1000); ++round) {
        const Json frame = last_words(server.port(), "/ws?session_id=nobody", kSmall);
        ASSERT_THAT(frame, is_error("SESSION_ERROR")) << round;
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
