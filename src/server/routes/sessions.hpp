#pragma once

#include "server/caller.hpp"
#include "server/context.hpp"

#include <openenv/net/http.hpp>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

/// Who holds the places of the server, who waits for one, and what they are doing.
net::io_awaitable<net::HttpResponse> sessions(Context&, Caller&, net::HttpRequest);
/// Ends one session, whatever it is doing.
net::io_awaitable<net::HttpResponse> release_session(Context&, Caller&, net::HttpRequest);

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
