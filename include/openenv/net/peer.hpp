#pragma once

#include <cstdint>
#include <string>

namespace openenv {
inline namespace v0 {
namespace net {

/// Who is at the other end of a connection. By default that is this process itself.
struct Peer {
    /// "192.0.2.1", "::1", "unix:1000" (a Unix socket, and the number of the user behind it),
    /// "in-process", or "unknown".
    std::string host = "in-process";
    std::uint16_t port = 0;  ///< 0 where there is none
    bool local = true;       ///< on this machine: in this process, a Unix socket, or loopback

    /// "192.0.2.1:51234", "[::1]:51234", or the host alone where there is no port.
    [[nodiscard]] std::string text() const;
};

/// The peer of a connected socket of any kind, by its descriptor. "unknown", and not local, when it
/// is not connected any more.
[[nodiscard]] Peer peer_of(int socket);

}  // namespace net
}  // namespace v0
}  // namespace openenv
