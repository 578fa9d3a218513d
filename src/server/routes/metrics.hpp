#pragma once

#include "server/caller.hpp"
#include "server/context.hpp"

#include <openenv/net/http.hpp>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

/// The numbers of the server, as Prometheus reads them. Waits for no other thread.
net::io_awaitable<net::HttpResponse> metrics(Context&, Caller&, net::HttpRequest);

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
