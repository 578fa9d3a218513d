#include "server/routes/info.hpp"

#include "server/docs_page.hpp"
#include "server/responses.hpp"

#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {
namespace routes {

net::io_awaitable<net::HttpResponse> health(Context&, Caller&, net::HttpRequest) {
    co_return json_response(R"({"status":"healthy"})");
}

net::io_awaitable<net::HttpResponse> metadata(Context& context, Caller& caller, net::HttpRequest) {
    Result<std::string> body = co_await context.metadata.get(caller);
    if (!body) {
        co_return failure("/metadata", body.error());
    }
    co_return json_response(std::move(*body));
}

net::io_awaitable<net::HttpResponse> schema(Context& context, Caller&, net::HttpRequest) {
    co_return json_response(context.schema_page);
}

net::io_awaitable<net::HttpResponse> openapi(Context& context, Caller&, net::HttpRequest) {
    co_return json_response(context.openapi_page);
}

net::io_awaitable<net::HttpResponse> docs(Context&, Caller&, net::HttpRequest) {
    net::HttpResponse response;
    response.content_type = "text/html; charset=utf-8";
    response.body = docs_page();
    co_return response;
}

}  // namespace routes
}  // namespace server
}  // namespace v0
}  // namespace openenv
