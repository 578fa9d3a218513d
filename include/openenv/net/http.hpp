#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace net {

/// One parsed HTTP request, as plain values.
struct HttpRequest {
    std::string method;  ///< "GET", "POST", ...
    std::string path;    ///< without the query, not decoded
    std::string query;   ///< without the question mark
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    bool wants_websocket = false;  ///< asks for an upgrade; the body is empty then

    /// The first header of that name in any letter case, or an empty text.
    [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
};

/// One answer. `content-length` and `connection` are added when it is written.
struct HttpResponse {
    unsigned status = 200;
    std::string content_type = "application/json";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers = {};
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
