#pragma once

#include "server/caller.hpp"
#include "server/context.hpp"

#include <openenv/net/http.hpp>

#include <optional>

namespace openenv {
inline namespace v0 {
namespace server {

/// Why a caller may not see and touch what belongs to the server's operators, or nothing. Where a
/// token is set it has been asked for already, and who has it may; else only callers on this
/// machine may, unless they speak for somebody else: a proxy, or a page in a browser.
[[nodiscard]] std::optional<net::HttpResponse> refuse_outsider(
    const Context& context, const Caller& caller, const net::HttpRequest& request
);

}  // namespace server
}  // namespace v0
}  // namespace openenv
