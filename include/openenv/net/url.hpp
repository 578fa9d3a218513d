#pragma once

#include <openenv/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace net {

/// The address of a server, as users write it: "http://host:8000/prefix", "wss://host",
/// "host:8000", "unix:/run/env.sock".
struct Url {
    bool tls = false;
    std::string host;                   ///< lower case, without the brackets of an IPv6 address
    std::optional<std::uint16_t> port;  ///< where one was given
    std::string path;                   ///< "/prefix", without a slash at its end; may be empty
    std::string query;                  ///< without the question mark
    /// The file of a Unix domain socket, or empty. With one there is neither port, path nor query,
    /// and `host` is "localhost", as requests over it say.
    std::string socket_file = {};

    [[nodiscard]] std::uint16_t port_or_default() const { return port.value_or(tls ? 443 : 80); }
    /// "host:8000", "[::1]"; the port only where one was given.
    [[nodiscard]] std::string authority() const;
    /// "/prefix/name", with the query. A path that ends with the name already is left alone.
    [[nodiscard]] std::string target(std::string_view name) const;
    /// "ws://host:8000/prefix/ws"; "unix:/run/env.sock".
    [[nodiscard]] std::string websocket_text() const;
    /// "http://host:8000/prefix/name"; "unix:/run/env.sock, /name".
    [[nodiscard]] std::string http_text(std::string_view name) const;

    /// Whether the host is this machine by its name: "localhost", 127.0.0.0/8, ::1 and the IPv4
    /// loopback addresses written as IPv6, and every Unix domain socket. 0.0.0.0 is not.
    [[nodiscard]] bool is_loopback() const;
};

/// The bytes that the path of a Unix domain socket can have on Linux.
inline constexpr std::size_t kLongestSocketFile = 107;

/// Reads a URL with the scheme http, https, ws or wss in any letter case; without one it is ws.
/// "unix:/path" and "unix:///path" name the file of a Unix domain socket: everything behind the
/// colon belongs to its path, as it stands.
/// Errors: ConfigError naming what is wrong.
[[nodiscard]] Url parse_url(std::string_view text);

/// The text up to the slashes at its end.  Lifetime: a view into `text`.
[[nodiscard]] std::string_view without_trailing_slashes(std::string_view text);

}  // namespace net
}  // namespace v0
}  // namespace openenv
