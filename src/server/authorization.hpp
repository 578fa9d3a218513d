#pragma once

#include <openenv/net/http.hpp>
#include <openenv/server/config.hpp>

#include <optional>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// The answer to a request without the server's token, or nothing when it may pass. GET /health is
/// open: whoever starts and watches servers needs no token for that.
[[nodiscard]] std::optional<net::HttpResponse> refuse_unauthorized(
    const ServerConfig& config, const net::HttpRequest& request
);

}  // namespace server
}  // namespace v0
}  // namespace openenv
