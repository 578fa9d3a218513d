#include "conformance/conformance_test.hpp"

#include <chrono>
#include <thread>

namespace openenv {
namespace conformance {
namespace {

using std::chrono::milliseconds;
using test::Headers;
using test::Opcode;

constexpr std::size_t kMebibyte = 1024 * 1024;

testing::Matcher<const Json&> is_state() {
    return contains_json(R"({"type":"state"})");
}

TEST_F(Conformance, Case134UpgradeElsewhere) {
    const MoveServer server;
    for (const char* path : {"/nope", "/ws/", "/reset"}) {
        const RawWebSocket socket(server.port(), path);
        EXPECT_EQ(socket.handshake_reply().status, 403) << path;
        EXPECT_EQ(socket.handshake_reply().body, "") << path;
    }
}

TEST_F(Conformance, Case135UpgradeWithSessionId) {
    const MoveServer server;
    RawWebSocket socket(server.port(), "/ws?session_id=abc");
    ASSERT_TRUE(socket.accepted());
    // The later one of two upstream behaviours: nobody gets a session other than the one asked for.
    EXPECT_THAT(socket.receive_json(), contains_json(R"({"type":"error","data":{
        "code":"SESSION_ERROR","message":"Unknown session_id: abc"}})"));
    socket.send_text(kState);
    EXPECT_EQ(socket.receive_close(), kNormalClose);
}

TEST_F(Conformance, Case136SubprotocolAndOrigin) {
    const MoveServer server;
    const Headers headers{
        {"Sec-WebSocket-Protocol", "foo"}, {"Origin", "https://elsewhere.example"}};
    RawWebSocket socket(server.port(), "/ws", headers);
    ASSERT_TRUE(socket.accepted());
    EXPECT_FALSE(socket.handshake_reply().has_header("Sec-WebSocket-Protocol"));
    EXPECT_THAT(socket.ask(kState), is_state());
}

TEST_F(Conformance, Case137CompressionOffered) {
    const MoveServer server;
    const Headers headers{
        {"Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits"}};
    RawWebSocket socket(server.port(), "/ws", headers);
    ASSERT_TRUE(socket.accepted());
    EXPECT_FALSE(socket.handshake_reply().has_header("Sec-WebSocket-Extensions"));
    EXPECT_THAT(socket.ask(kState), is_state());
}

TEST_F(Conformance, Case138Fragments) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    socket.send_frame(Opcode::text, R"({"type":)", {.fin = false});
    socket.send_frame(Opcode::continuation, R"("state"})");
    EXPECT_THAT(socket.receive_json(), is_state());
}

TEST_F(Conformance, Case139Ping) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    socket.send_ping("hi");
    const WsFrame frame = socket.receive_frame();
    EXPECT_EQ(frame.opcode, Opcode::pong);
    EXPECT_EQ(frame.payload, "hi");
}

TEST_F(Conformance, Case140PingDuringAStep) {
    SlowServer server;
    RawWebSocket socket(server.port());
    socket.send_text(kWait);
    server.gate.wait_for_arrivals(1);
    socket.send_ping("still there?");
    const WsFrame frame = socket.receive_frame();
    EXPECT_EQ(frame.opcode, Opcode::pong);
    EXPECT_EQ(frame.payload, "still there?");
    server.gate.open();
    EXPECT_EQ(response_of(socket.receive_json()), "echo:wait timeout=None");
}

TEST_F(Conformance, Case142MessageTooLarge) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    // The server may stop taking it before it is complete.
    socket.try_send_frame(Opcode::text, std::string(17 * kMebibyte, ' '));
    EXPECT_EQ(socket.receive_close().code, 1009);
}

TEST_F(Conformance, Case143ErrorRepeatsLittleOfALargeInput) {
    const MoveServer server;
    RawWebSocket socket(server.port());
    const std::string large(15 * kMebibyte, 'x');
    socket.send_text(R"({"type":"step","data":{"message":"hi","bogus":")" + large + R"("}})");
    const std::string reply = socket.receive_text();
    EXPECT_LT(reply.size(), kMebibyte);
    EXPECT_THAT(Json::parse(reply), is_validation_error({"extra_forbidden @ bogus"}));
    EXPECT_THAT(socket.ask(kState), is_state());
}

TEST_F(Conformance, Case144ClientCloses) {
    const MoveServer server(quick_config(1));
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(kState), is_state());
    socket.send_close(1000);
    const WsFrame frame = socket.receive_frame();
    EXPECT_EQ(frame.opcode, Opcode::close);
    EXPECT_EQ(frame.payload.substr(0, 2), "\x03\xE8");  // 1000
    socket.socket().wait_for_end();                     // the server ends the stream first
    socket.socket().close();
    EXPECT_THAT(connect_when_free(server.port()).reply, is_state());
}

TEST_F(Conformance, Case145ServerStops) {
    MoveServer server;
    RawWebSocket socket(server.port());
    EXPECT_THAT(socket.ask(kState), is_state());
    std::jthread stopping([&server] { EXPECT_EQ(server.stop(), 0U); });
    EXPECT_EQ(socket.receive_close().code, 1001);
    socket.socket().close();
}

TEST_F(Conformance, Case146NoAnswerToPings) {
    ServerConfig config = quick_config(2);
    config.ping_interval = milliseconds(30);
    config.ping_timeout = milliseconds(30);
    const MoveServer server(config);
    RawWebSocket socket(server.port());
    EXPECT_EQ(socket.receive_frame().opcode, Opcode::ping);
    socket.leave_pings_unanswered();
    EXPECT_EQ(socket.receive_close().code, 1011);
}

}  // namespace
}  // namespace conformance
}  // namespace openenv
