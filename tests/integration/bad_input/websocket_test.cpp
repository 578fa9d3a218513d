// Frames that break RFC 6455, messages at the edge of the limits, and peers that leave midway.
#include "integration/bad_input/victim.hpp"
#include "integration/support/eventually.hpp"
#include "support/expect_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::string_view_literals;

constexpr const char* kState = R"({"type":"state"})";
constexpr std::size_t kMaxMessage = 4096;

ServerConfig small_messages() {
    ServerConfig config = quick_config(8);
    config.max_message_bytes = kMaxMessage;
    return config;
}

/// A step of exactly that many bytes.
std::string step_of(std::size_t bytes) {
    const std::string head = R"({"type":"step","data":{"what":")";
    const std::string tail = R"("}})";
    return head + std::string(bytes - head.size() - tail.size(), 'x') + tail;
}

/// Fails the test unless the server closes with that code and then ends the stream.
void expect_close(RawWebSocket& session, int code) {
    EXPECT_EQ(session.receive_close().code, code);
    session.socket().wait_for_end();
}

TEST(BadInput, BinaryMessagesAreReadAsText) {
    Victim victim;
    const auto session = open_session(victim.port());
    session->send_binary(kState);
    EXPECT_EQ(session->receive_json()["type"], "state");
    session->send_binary("\xff\xfe\x00\x01"sv);
    EXPECT_THAT(session->receive_json(), is_error("INVALID_JSON"));
    session->send_binary("");
    EXPECT_THAT(session->receive_json(), is_error("INVALID_JSON"));
    expect_alive(*session);
}

TEST(BadInput, TextThatIsNotUtf8Closes) {
    Victim victim;
    for (const char* text :
         {"\xff",
          "{\"type\":\"\xc3\"}",
          "\xed\xa0\x80",
          "\xc0\xaf",
          "\xf4\x90\x80\x80",
          "ab\xe2\x82"}) {
        const auto session = open_session(victim.port());
        session->send_text(text);
        expect_close(*session, 1007);
    }
}

TEST(BadInput, AFragmentedMessageIsOneMessage) {
    Victim victim;
    const auto session = open_session(victim.port());
    const std::string step = "{\"type\":\"step\",\"data\":{\"what\":\"\xF0\x9F\x98\x80\"}}";
    const std::size_t inside_the_letter = step.find('\xF0') + 2;
    session->send_frame(Opcode::text, step.substr(0, inside_the_letter), {.fin = false});
    session->send_ping("between");
    const WsFrame pong = session->receive_frame();
    EXPECT_EQ(pong.opcode, Opcode::pong);
    session->send_frame(Opcode::continuation, "", {.fin = false});
    session->send_frame(Opcode::continuation, step.substr(inside_the_letter));
    EXPECT_EQ(session->receive_json()["data"]["observation"]["text"], "\xF0\x9F\x98\x80");
}

TEST(BadInput, AMessageAtTheLimitIsServedAndOneByteMoreCloses) {
    Victim victim(small_messages());
    const auto session = open_session(victim.port());
    EXPECT_EQ(session->ask(step_of(kMaxMessage))["type"], "observation");
    session->send_text(step_of(kMaxMessage + 1));
    expect_close(*session, 1009);
}

TEST(BadInput, FragmentsCountTogether) {
    Victim victim(small_messages());
    const auto session = open_session(victim.port());
    const std::string step = step_of(kMaxMessage + 1);
    session->send_frame(Opcode::text, step.substr(0, kMaxMessage), {.fin = false});
    session->send_frame(Opcode::continuation, step.substr(kMaxMessage));
    expect_close(*session, 1009);
}

TEST(BadInput, TheShippedLimitIsSixteenMebibytes) {
    constexpr std::size_t kShipped = std::size_t{16} * 1024 * 1024;
    Victim victim;
    const auto session = open_session(victim.port());
    EXPECT_EQ(session->ask(step_of(kShipped))["type"], "observation");
    // The server may have closed before all of it is sent.
    session->try_send_frame(Opcode::text, step_of(kShipped + 1));
    expect_close(*session, 1009);
}

TEST(BadInput, SizesNobodyCanMeanClose) {
    Victim victim;
    for (const std::uint64_t size :
         {std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, ~std::uint64_t{0}}) {
        const auto session = open_session(victim.port());
        session->send_frame(Opcode::text, "", {.claimed_size = size});
        const int code = session->receive_close().code;
        EXPECT_TRUE(code == 1009 || code == 1002) << code;
        session->socket().wait_for_end();
    }
}

/// One frame that the protocol forbids.
struct WrongFrame {
    const char* what;
    Opcode opcode;
    std::string payload;
    FrameStyle style;
};

TEST(BadInput, FramesThatTheProtocolForbidsClose) {
    const std::vector<WrongFrame> wrong{
        {"unmasked", Opcode::text, kState, {.masked = false}},
        {"RSV1", Opcode::text, kState, {.reserved_bits = 4}},
        {"RSV2", Opcode::text, kState, {.reserved_bits = 2}},
        {"RSV3", Opcode::text, kState, {.reserved_bits = 1}},
        {"opcode 3", static_cast<Opcode>(3), kState, {}},
        {"opcode 11", static_cast<Opcode>(11), "", {}},
        {"nothing to continue", Opcode::continuation, kState, {}},
        {"fragmented ping", Opcode::ping, "x", {.fin = false}},
        {"long ping", Opcode::ping, std::string(126, 'x'), {}},
        {"close of one byte", Opcode::close, "x", {}},
        {"close code 999", Opcode::close, "\x03\xe7", {}},
        {"close code 1005", Opcode::close, "\x03\xed", {}},
        {"close code 1015", Opcode::close, "\x03\xf7", {}},
    };
    Victim victim;
    for (const WrongFrame& frame : wrong) {
        SCOPED_TRACE(frame.what);
        const auto session = open_session(victim.port());
        session->send_frame(frame.opcode, frame.payload, frame.style);
        expect_close(*session, 1002);
    }
}

TEST(BadInput, ANewMessageInsideAFragmentedOneCloses) {
    Victim victim;
    const auto session = open_session(victim.port());
    session->send_frame(Opcode::text, "{", {.fin = false});
    session->send_text(kState);
    expect_close(*session, 1002);
}

TEST(BadInput, WhatFollowsACloseIsNotAnswered) {
    Victim victim;
    const auto session = open_session(victim.port());
    session->send_text(R"({"type":"close"})");
    session->try_send_frame(Opcode::text, kState);
    session->try_send_frame(Opcode::text, Probe::kStep);
    expect_close(*session, 1000);
    EXPECT_EQ(victim.probe.life.steps(), 0U);

    const auto other = open_session(victim.port());
    other->send_close(4321, "enough");
    other->try_send_frame(Opcode::text, Probe::kStep);
    expect_close(*other, 4321);
    EXPECT_EQ(victim.probe.life.steps(), 0U);
    EXPECT_TRUE(eventually([&] { return victim.active_sessions() == 1; }));
}

TEST(BadInput, ABrokenFrameBehindACloseHoldsNothing) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(8);
    config.close_timeout = std::chrono::milliseconds(50);
    RunningServer server(probe_entry(probe), config);
    for (const std::string_view broken : {"\xff\xff\xff\xff"sv, "\x83\x80mask"sv, "\x81\x01x"sv}) {
        const auto session = open_session(server.port());
        session->send_text(R"({"type":"close"})");
        session->send_raw(broken);
        session->socket().wait_for_end();
    }
    EXPECT_EQ(server.stop(), 0U);  // what has not ended would be counted
}

TEST(BadInput, PeersThatLeaveMidwayFreeTheirPlace) {
    Victim victim;
    const auto half_closed = open_session(victim.port());
    half_closed->socket().shutdown_send();
    half_closed->socket().wait_for_end();
    {
        const auto in_a_frame = open_session(victim.port());
        in_a_frame->send_frame(Opcode::text, "{", {.claimed_size = 1000});
    }
    {
        const auto in_a_header = open_session(victim.port());
        in_a_header->send_raw("\x81");
    }
    {
        const auto between_fragments = open_session(victim.port());
        between_fragments->send_frame(Opcode::text, "{", {.fin = false});
        between_fragments->socket().abort();
    }
    EXPECT_TRUE(eventually([&] { return victim.active_sessions() == 1; }));
    EXPECT_TRUE(eventually([&] { return victim.probe.life.live() == 1; }));
}

TEST(BadInput, APeerThatVanishesInAStepFreesItsPlaceWhenTheStepIsOver) {
    Victim victim;
    const auto session = open_session(victim.port());
    session->send_text(Probe::kWait);
    victim.probe.gate.wait_for_arrivals(1);
    session->socket().abort();
    victim.expect_unharmed();
    victim.probe.gate.open();
    victim.probe.life.wait_for_live(1);
    EXPECT_TRUE(eventually([&] { return victim.active_sessions() == 1; }));
    EXPECT_EQ(victim.probe.life.wrong_closes(), 0U);
}

}  // namespace
}  // namespace test
}  // namespace openenv
