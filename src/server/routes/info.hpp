#pragma once

#include "server/caller.hpp"
#include "server/context.hpp"

#include <openenv/net/http.hpp>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

// What a server tells of itself. None of these touches a session; only metadata may build an
// environment, once.
net::io_awaitable<net::HttpResponse> health(Context&, Caller&, net::HttpRequest);
net::io_awaitable<net::HttpResponse> metadata(Context&, Caller&, net::HttpRequest);
net::io_awaitable<net::HttpResponse> schema(Context&, Caller&, net::HttpRequest);
net::io_awaitable<net::HttpResponse> openapi(Context&, Caller&, net::HttpRequest);
net::io_awaitable<net::HttpResponse> docs(Context&, Caller&, net::HttpRequest);

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
