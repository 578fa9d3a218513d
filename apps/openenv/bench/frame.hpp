#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace openenv::bench {

/// The kinds of WebSocket frames (RFC 6455, section 5.2).
enum class Opcode : std::uint8_t {
    continuation = 0,
    text = 1,
    binary = 2,
    close = 8,
    ping = 9,
    pong = 10,
};

/// The peer broke the framing; the connection is of no use any more.
class ProtocolError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Appends one complete frame as a client sends it: final and masked.
/// The masking key is always the same: it has to be unpredictable only where a script of strangers
/// could choose the payload, and one key makes every request a constant.
void append_client_frame(std::string& out, Opcode opcode, std::string_view payload);

/// What a peer sent: a whole message, or a control frame.
struct Message {
    Opcode opcode = Opcode::text;
    std::string payload;
};

/// Cuts what a server sends into messages. Fragments are joined, control frames between them are
/// handed out at once.
class FrameReader {
public:
    explicit FrameReader(std::size_t max_message_bytes = 128U << 20U)
        : max_message_bytes_(max_message_bytes) {}

    void append(std::string_view bytes) { buffer_.append(bytes); }

    /// The next message, or nothing until more bytes have come.
    /// Errors: ProtocolError for a masked frame, reserved bits, a broken fragment, too much text.
    [[nodiscard]] std::optional<Message> next();

private:
    std::string buffer_;
    std::size_t taken_ = 0;
    std::string fragments_;
    std::optional<Opcode> fragmented_;
    std::size_t max_message_bytes_;
};

}  // namespace openenv::bench
