#include <openenv/base/ascii.hpp>
#include <openenv/base/error.hpp>
#include <openenv/net/connect.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace net {

namespace {

bool is_one_of(char c, std::string_view characters) {
    return characters.find(c) != std::string_view::npos;
}

/// A token of RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
    const auto fits = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               is_one_of(c, "!#$%&'*+-.^_`|~");
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

/// Names that the request sets by itself: with others it would not be one.
bool is_ours(std::string_view name) {
    constexpr std::string_view kOurs[] = {
        "connection", "content-length", "host", "transfer-encoding", "upgrade"};
    const std::string small = ascii_lower(name);
    return small.starts_with("sec-websocket-") ||
           std::find(std::begin(kOurs), std::end(kOurs), small) != std::end(kOurs);
}

}  // namespace

bool is_header(std::string_view given, std::string_view name) {
    return ascii_lower(given) == ascii_lower(name);
}

void check_headers(const std::vector<std::pair<std::string, std::string>>& headers) {
    constexpr std::size_t kLongest = 16 * 1024;
    for (const auto& [name, value] : headers) {
        if (!is_token(name)) {
            throw ConfigError("'" + name.substr(0, 64) + "' cannot be the name of a header");
        }
        if (is_ours(name)) {
            throw ConfigError("the header " + name + " is set by the client itself; leave it out");
        }
        // The value may be a secret, and is not shown.
        const bool controls = std::any_of(value.begin(), value.end(), [](char c) {
            return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7F';
        });
        if (controls) {
            throw ConfigError(
                "the value of the header " + name +
                " holds a line break or another control character; was a token read with the end "
                "of its line?"
            );
        }
        if (value.size() > kLongest) {
            throw ConfigError(
                "the value of the header " + name + " is longer than " + std::to_string(kLongest) +
                " bytes"
            );
        }
    }
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
