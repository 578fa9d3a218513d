#include "server/responses.hpp"

#include <openenv/base/json.hpp>
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

net::HttpResponse detail(unsigned status, std::string_view text) {
    net::HttpResponse response;
    response.status = status;
    response.body = Json::object({{"detail", text}}).dump();
    return response;
}

net::HttpResponse failure(std::string_view where, const Error& cause) {
    const bool timeout = cause.code == Errc::timeout;
    const bool cancelled = cause.code == Errc::cancelled;  // nobody reads the answer
    log(timeout     ? LogLevel::warning
        : cancelled ? LogLevel::debug
                    : LogLevel::error,
        std::string(where) + " failed: " + cause.message +
            (cause.detail.empty() ? "" : " (" + cause.detail + ")"));
    if (timeout) {
        return detail(504, cause.message);
    }
    net::HttpResponse response;
    response.status = 500;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "Internal Server Error";
    return response;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
