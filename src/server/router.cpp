#include "server/router.hpp"

#include "server/responses.hpp"
#include "server/routes/control.hpp"
#include "server/routes/info.hpp"
#include "server/routes/mcp.hpp"
#include "server/routes/metrics.hpp"
#include "server/routes/sessions.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

using Handler = net::io_awaitable<net::HttpResponse> (*)(Context&, Caller&, net::HttpRequest);

struct Route {
    std::string_view method;
    std::string_view path;
    Handler handler;
    bool simulation_only = false;
    bool prefix = false;  // the path goes on, to what the handler finds in it
};

constexpr std::array kRoutes{
    Route{"POST", "/reset", routes::reset, true},
    Route{"POST", "/step", routes::step, true},
    Route{"GET", "/state", routes::state, true},
    Route{"GET", "/health", routes::health},
    Route{"GET", "/metadata", routes::metadata},
    Route{"GET", "/schema", routes::schema},
    Route{"GET", "/openapi.json", routes::openapi},
    Route{"GET", "/docs", routes::docs},
    Route{"GET", "/redoc", routes::docs},
    Route{"POST", "/mcp", routes::mcp},
    Route{"GET", "/metrics", routes::metrics},
    Route{"GET", "/sessions", routes::sessions},
    Route{
        .method = "DELETE",
        .path = "/sessions/",
        .handler = routes::release_session,
        .prefix = true},
};

const Route* find_route(const ServerConfig& config, std::string_view path) {
    for (const Route& route : kRoutes) {
        const bool exists = !route.simulation_only || config.mode == ServerMode::simulation;
        const bool longer = route.prefix && path.size() > route.path.size();
        if (exists && (longer ? path.starts_with(route.path) : path == route.path)) {
            return &route;
        }
    }
    return nullptr;
}

/// A known path with one slash behind it is sent to the path. The location is relative on purpose:
/// behind a proxy we know neither the scheme nor the host that the peer used.
std::optional<net::HttpResponse> redirect(
    const ServerConfig& config, const net::HttpRequest& request
) {
    std::string_view path = request.path;
    if (path.size() < 2 || path.back() != '/') {
        return std::nullopt;
    }
    path.remove_suffix(1);
    if (find_route(config, path) == nullptr) {
        return std::nullopt;
    }
    std::string location(path);
    if (!request.query.empty()) {
        location += "?" + request.query;
    }
    net::HttpResponse response;
    response.status = 307;
    response.headers.emplace_back("location", std::move(location));
    return response;
}

}  // namespace

net::io_awaitable<net::HttpResponse> answer(
    Context& context, Caller& caller, net::HttpRequest request
) {
    const Route* route = find_route(context.config, request.path);
    if (route == nullptr) {
        if (std::optional<net::HttpResponse> elsewhere = redirect(context.config, request)) {
            co_return std::move(*elsewhere);
        }
        co_return detail(404, "Not Found");
    }
    if (route->method != request.method) {
        net::HttpResponse refusal = detail(405, "Method Not Allowed");
        refusal.headers.emplace_back("allow", std::string(route->method));
        co_return refusal;
    }
    co_return co_await route->handler(context, caller, std::move(request));
}

net::HttpResponse malformed_response(unsigned status) {
    switch (status) {
        case 413:
            return detail(
                413, "Request body is larger than the server takes (--max-message-bytes)"
            );
        case 431:
            return detail(431, "Request header is larger than the server takes");
        default:
            return detail(400, "Invalid HTTP request received.");
    }
}

namespace {

int hex_digit(char digit) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const char lower = digit >= 'A' && digit <= 'F' ? static_cast<char>(digit + 32) : digit;
    const std::size_t at = kDigits.find(lower);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

/// Text of a query without its escapes; what is no escape stays as it is.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                            hex_digit(text[i + 2]) >= 0;
        if (escape) {
            out += static_cast<char>(16 * hex_digit(text[i + 1]) + hex_digit(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

}  // namespace

std::string query_value(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        const std::size_t equals = pair.find('=');
        if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
            return unescaped(pair.substr(equals + 1));
        }
    }
    return {};
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
