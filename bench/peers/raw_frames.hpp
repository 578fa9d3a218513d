#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace openenv::bench {

/// The kinds of frames that raw_epoll knows (RFC 6455, section 5.2).
enum class RawOpcode : std::uint8_t { text = 1, close = 8, ping = 9, pong = 10 };

/// The peer broke the framing, or used what this codec leaves out: fragments and extensions.
class RawFrameError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct RawFrame {
    RawOpcode opcode = RawOpcode::text;
    std::string_view payload;  ///< unmasked, within the bytes it was cut from
    std::size_t size = 0;      ///< of the frame, header included
};

/// The first frame of what a client sent, unmasked in place; nothing until all of it is there.
/// Errors: RawFrameError.
[[nodiscard]] std::optional<RawFrame> cut_client_frame(std::span<char> bytes);

/// One whole frame as a server sends it.
[[nodiscard]] std::string server_frame(RawOpcode opcode, std::string_view payload);

/// The answer to a client's upgrade request, which is complete.
/// Errors: RawFrameError without a Sec-WebSocket-Key.
[[nodiscard]] std::string upgrade_answer(std::string_view request);

}  // namespace openenv::bench
