#pragma once

#include "support/http_request.hpp"
#include "support/socket.hpp"

#include <openenv/base/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
namespace test {

/// RFC 6455 section 5.2.
enum class Opcode : std::uint8_t {
    continuation = 0x0,
    text = 0x1,
    binary = 0x2,
    close = 0x8,
    ping = 0x9,
    pong = 0xA,
};

/// How a frame is sent; the defaults are those of a proper client.
struct FrameStyle {
    bool fin = true;
    bool masked = true;
    std::uint8_t reserved_bits = 0;                  ///< RSV1 is 4, RSV2 is 2, RSV3 is 1
    std::optional<std::uint64_t> claimed_size = {};  ///< in the header, instead of the true size
};

struct WsFrame {
    Opcode opcode = Opcode::text;
    bool fin = true;
    std::string payload;
};

struct WsClose {
    int code = 0;  ///< 0: the close frame carried none
    std::string reason;

    bool operator==(const WsClose&) const = default;
};

/// A WebSocket client without mercy: it sends whatever a test says and hides nothing of what comes.
/// Blocking and Errors: as Socket.
class RawWebSocket {
public:
    /// Connects and shakes hands. `headers` are added to the request; see accepted().
    explicit RawWebSocket(
        std::uint16_t port, std::string_view target = "/ws", const Headers& headers = {}
    );

    /// True when the server has switched protocols.
    [[nodiscard]] bool accepted() const { return reply_.status == 101; }
    /// The server's answer to the handshake; with its body when it refused.
    [[nodiscard]] const HttpReply& handshake_reply() const { return reply_; }

    void send_text(std::string_view text) { send_frame(Opcode::text, text); }
    void send_binary(std::string_view bytes) { send_frame(Opcode::binary, bytes); }
    void send_ping(std::string_view payload = {}) { send_frame(Opcode::ping, payload); }
    void send_close(std::uint16_t code, std::string_view reason = {});
    void send_frame(Opcode opcode, std::string_view payload, const FrameStyle& style = {});
    /// As send_frame, for a frame that the server may refuse to take; false when it has.
    bool try_send_frame(Opcode opcode, std::string_view payload, const FrameStyle& style = {});
    void send_raw(std::string_view bytes) { socket_.send(bytes); }

    /// The next frame, whatever it is.
    [[nodiscard]] WsFrame receive_frame();
    /// The next message, put together from its frames; pongs are passed over, pings too, answered
    /// unless leave_pings_unanswered() was called. Errors: also throws when a close frame comes.
    [[nodiscard]] std::string receive_text();
    [[nodiscard]] Json receive_json() { return Json::parse(receive_text()); }
    /// send_text, then receive_json.
    [[nodiscard]] Json ask(std::string_view text);
    /// The close frame, which is answered; pings and pongs before it are passed over.
    /// Errors: also throws when a message comes instead.
    [[nodiscard]] WsClose receive_close();
    /// Fails the test unless nothing had been sent to us that we have not received: a ping is sent,
    /// and its pong has to come next.
    void expect_silence();

    /// Returns once something has come that was not received yet, be it the end of the stream.
    void wait_readable();
    /// True when something has come that was not received yet.
    [[nodiscard]] bool readable();

    void leave_pings_unanswered() { answers_pings_ = false; }
    [[nodiscard]] Socket& socket() { return socket_; }

private:
    /// The next frame that is neither ping nor pong.
    WsFrame receive_data_or_close();
    std::string receive_exactly(std::size_t size);

    Socket socket_;
    std::string buffer_;  // received, not yet looked at
    HttpReply reply_;
    bool answers_pings_ = true;
};

}  // namespace test
}  // namespace openenv
