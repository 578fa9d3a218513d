#pragma once

#include <openenv/net/url.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace openenv {
inline namespace v0 {
namespace net {

/// An HTTP proxy that connections are tunnelled through by CONNECT (RFC 9110 section 9.3.6).
struct Proxy {
    std::string host;
    std::uint16_t port = 80;
    std::string authorization;  ///< the value of Proxy-Authorization; may be empty
};

/// How the environment variables are read; `std::getenv` in earnest.
using VariableReader = std::function<const char*(const char*)>;

/// The proxy that the variables name for a connection to `url`, or nothing: `wss_proxy` or
/// `https_proxy` for TLS, else `ws_proxy`, `https_proxy` or `http_proxy`, each in small letters
/// before capitals. Loopback is always reached directly, and so is what
/// `no_proxy` lists: names (with their subdomains), addresses, networks such as 10.0.0.0/8, or *.
/// Errors: ConfigError for a proxy that is none we can use, such as socks5://.
/// Thread: any; the environment is read and never changed.
[[nodiscard]] std::optional<Proxy> proxy_for(const Url& url, const VariableReader& variable);

}  // namespace net
}  // namespace v0
}  // namespace openenv
