#pragma once

#include "net/metered_socket.hpp"

#include <openenv/net/connection.hpp>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <memory>
#include <string>

namespace openenv {
inline namespace v0 {
namespace net {

using UpgradeRequest = boost::beast::http::request<boost::beast::http::string_body>;

/// Answers `request` on `socket` and makes a WebSocket of it. Null when the handshake fails.
[[nodiscard]] io_awaitable<std::unique_ptr<MessageStream>> accept_websocket(
    MeteredSocket socket,
    UpgradeRequest request,
    const ConnectionLimits& limits,
    Sweeper& sweeper,
    std::string features
);

}  // namespace net
}  // namespace v0
}  // namespace openenv
