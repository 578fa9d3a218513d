#pragma once

#include "server/caller.hpp"
#include "server/context.hpp"

#include <openenv/net/http.hpp>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

// The stateless calls: each builds an environment, uses it once and closes it.
net::io_awaitable<net::HttpResponse> reset(Context&, Caller&, net::HttpRequest);
net::io_awaitable<net::HttpResponse> step(Context&, Caller&, net::HttpRequest);
net::io_awaitable<net::HttpResponse> state(Context&, Caller&, net::HttpRequest);

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
