#pragma once

#include "server/context.hpp"

#include <memory>

namespace openenv {
inline namespace v0 {
namespace server {

/// A WebSocket at /mcp: each message one JSON-RPC request, each answer one message.
[[nodiscard]] net::io_awaitable<void> serve_mcp(
    Context& context, Shard& shard, std::unique_ptr<net::MessageStream> socket
);

}  // namespace server
}  // namespace v0
}  // namespace openenv
