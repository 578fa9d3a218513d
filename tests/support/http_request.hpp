#pragma once

#include "support/socket.hpp"

#include <openenv/base/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
namespace test {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// What a server answered over HTTP.
struct HttpReply {
    int status = 0;
    Headers headers;  ///< as sent
    std::string body;

    /// The value of a header, named in any letter case; empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const;
    [[nodiscard]] bool has_header(std::string_view name) const;
    /// The body. Errors: throws when it is not JSON.
    [[nodiscard]] Json json() const { return Json::parse(body); }
};

/// One request on a connection of its own, which is closed after it.
/// `content-length` is added, and `content-type: application/json` where there is a body and no
/// other type is given.
[[nodiscard]] HttpReply http(
    std::uint16_t port,
    std::string_view method,
    std::string_view target,
    std::string_view body = {},
    Headers headers = {}
);
[[nodiscard]] HttpReply http_get(std::uint16_t port, std::string_view target);
[[nodiscard]] HttpReply http_post(
    std::uint16_t port, std::string_view target, std::string_view body
);

/// Sends exactly these bytes on a connection of its own, reads one reply, and closes it.
[[nodiscard]] HttpReply http_bytes(std::uint16_t port, std::string_view bytes);

/// Reads one reply. `buffer` holds what was received too much, before and after.
/// Errors: throws when the stream ends within it, and for chunked bodies, which our server never
/// sends.
[[nodiscard]] HttpReply read_http_reply(Socket& socket, std::string& buffer);
/// As above, but only up to the blank line: the body stays in the stream and in `buffer`.
[[nodiscard]] HttpReply read_http_head(Socket& socket, std::string& buffer);

}  // namespace test
}  // namespace openenv
