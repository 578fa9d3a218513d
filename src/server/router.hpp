#pragma once

#include "server/caller.hpp"
#include "server/context.hpp"

#include <openenv/net/http.hpp>

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// Answers one authorized HTTP request by the one table of routes.
[[nodiscard]] net::io_awaitable<net::HttpResponse> answer(
    Context& context, Caller& caller, net::HttpRequest request
);

/// The answer to what is not HTTP as we take it; `status` says why.
[[nodiscard]] net::HttpResponse malformed_response(unsigned status);

/// The value of `name` in a query such as "a=1&b=2", or an empty text. Not decoded.
[[nodiscard]] std::string query_value(std::string_view query, std::string_view name);

}  // namespace server
}  // namespace v0
}  // namespace openenv
