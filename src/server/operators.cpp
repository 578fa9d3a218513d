#include "server/operators.hpp"

#include "server/responses.hpp"

#include <string>

namespace openenv {
inline namespace v0 {
namespace server {

std::optional<net::HttpResponse> refuse_outsider(
    const Context& context, const Caller& caller, const net::HttpRequest& request
) {
    constexpr const char* kWayOut =
        "; set a token (--token, OPENENV_TOKEN) and send it to ask from elsewhere";
    if (context.config.token) {
        return std::nullopt;
    }
    if (!caller.peer().local) {
        return detail(
            403, request.path + " answers callers on the server's own machine only" + kWayOut
        );
    }
    for (const char* header : {"forwarded", "x-forwarded-for", "x-real-ip", "origin"}) {
        if (!request.header(header).empty()) {
            return detail(
                403,
                request.path +
                    " answers callers on the server's own machine only, and the header '" + header +
                    "' says that this one asks for somebody else" + kWayOut
            );
        }
    }
    return std::nullopt;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
