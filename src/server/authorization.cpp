#include "server/authorization.hpp"

#include <cstddef>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// Takes as long for a wrong text as for a right one of the same length.
bool equal_in_constant_time(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return false;
    }
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned>(a[i] ^ b[i]);
    }
    return difference == 0;
}

bool has_token(const net::HttpRequest& request, std::string_view token) {
    constexpr std::string_view kScheme = "bearer";  // in any letter case, RFC 9110 section 11.1
    const std::string_view given = request.header("authorization");
    if (given.size() <= kScheme.size() || given[kScheme.size()] != ' ') {
        return false;
    }
    for (std::size_t i = 0; i < kScheme.size(); ++i) {
        if ((given[i] | 0x20) != kScheme[i]) {
            return false;
        }
    }
    return equal_in_constant_time(given.substr(kScheme.size() + 1), token);
}

}  // namespace

std::optional<net::HttpResponse> refuse_unauthorized(
    const ServerConfig& config, const net::HttpRequest& request
) {
    const bool open_to_all = request.path == "/health" && request.method == "GET";
    if (!config.token || open_to_all || has_token(request, *config.token)) {
        return std::nullopt;
    }
    net::HttpResponse refusal;
    refusal.status = 401;
    refusal.body =
        R"({"detail":"Not authenticated: send the header 'Authorization: Bearer <token>'"})";
    refusal.headers.emplace_back("www-authenticate", "Bearer");
    return refusal;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
