#pragma once

#include "server/context.hpp"

namespace openenv {
inline namespace v0 {
namespace server {

/// Serves one accepted socket from its first byte to its last, as HTTP and, after an upgrade, as a
/// WebSocket session.
[[nodiscard]] net::io_awaitable<void> serve_connection(
    Context& context, Shard& shard, net::TaskGroup& tasks, net::StreamSocket socket, Arrival arrival
);

}  // namespace server
}  // namespace v0
}  // namespace openenv
