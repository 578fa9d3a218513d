#pragma once

#include "server/context.hpp"

#include <openenv/net/http.hpp>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

// The stateless calls: each builds an environment, uses it once and closes it.
net::io_awaitable<net::HttpResponse> reset(Context&, net::IoExecutor, net::HttpRequest);
net::io_awaitable<net::HttpResponse> step(Context&, net::IoExecutor, net::HttpRequest);
net::io_awaitable<net::HttpResponse> state(Context&, net::IoExecutor, net::HttpRequest);

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
