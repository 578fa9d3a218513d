#pragma once

namespace openenv {
inline namespace v0 {
namespace net {

/// What every TCP connection of ours has: small messages leave at once, and the kernel probes a
/// silent host after 30 s and every 30 s from then on, so that routers do not forget the connection
/// and a vanished host is noticed. What a listening socket accepts takes these over.
void tune_tcp(int descriptor) noexcept;

/// Programs that an environment or a trainer starts do not inherit the socket: it would stay open
/// as long as they run.
void close_on_exec(int descriptor) noexcept;

}  // namespace net
}  // namespace v0
}  // namespace openenv
