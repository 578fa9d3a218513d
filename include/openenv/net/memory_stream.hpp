#pragma once

#include <openenv/net/message_stream.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

namespace openenv {
inline namespace v0 {
namespace net {

/// One end of a connection within the process: where it is used, and what it takes.
struct MemoryEnd {
    IoExecutor io;
    /// The largest message read; a larger one closes the connection with 1009.
    std::size_t message_bytes = std::numeric_limits<std::size_t>::max();
    /// How long a close may take before the connection is dropped.
    std::chrono::milliseconds close_timeout = std::chrono::seconds(5);
};

/// The two ends of one connection, each for use on its own executor. They behave as the ends of a
/// WebSocket do: messages come in order, a close tells its code, what was sent before it is still
/// read, an end that is dropped ends the other one's reads after that, and a reader that is slow
/// makes the writer wait. There are no pings, and texts are passed as they are, UTF-8 or not.
/// Thread: made on any. Lifetime: an end does not outlive its io_context; the other one may, and
/// either may go first.
struct MemoryStreams {
    std::unique_ptr<MessageStream> first;
    std::unique_ptr<MessageStream> second;
};

/// `features` are those that hold on the connection, as MessageStream::features() tells them.
[[nodiscard]] MemoryStreams memory_streams(
    const MemoryEnd& first, const MemoryEnd& second, const std::string& features
);

}  // namespace net
}  // namespace v0
}  // namespace openenv
