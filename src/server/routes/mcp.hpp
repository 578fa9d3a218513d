#pragma once

#include "server/caller.hpp"
#include "server/context.hpp"

#include <openenv/net/http.hpp>

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

/// Always 200: errors are JSON-RPC's.
net::io_awaitable<net::HttpResponse> mcp(Context&, Caller&, net::HttpRequest);

/// Appends the JSON-RPC answer to one request. No environment of this version has tools, so it is
/// an error that says which kind.
void append_mcp_answer(std::string& out, std::string_view request);

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
