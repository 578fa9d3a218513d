#include "server/responses.hpp"

#include <openenv/base/log.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

net::HttpResponse json_response(std::string body) {
    net::HttpResponse response;
    response.body = std::move(body);
    return response;
}

net::HttpResponse unprocessable(std::string_view errors) {
    net::HttpResponse response;
    response.status = 422;
    response.body = R"({"detail":)";
    response.body += errors;
    response.body += '}';
    return response;
}

net::HttpResponse internal_error(std::string_view where, const Error& cause) {
    log(LogLevel::error,
        std::string(where) + " failed: " + cause.message +
            (cause.detail.empty() ? "" : " (" + cause.detail + ")"));
    net::HttpResponse response;
    response.status = 500;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "Internal Server Error";
    return response;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
