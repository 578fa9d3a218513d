#include <openenv/base/ascii.hpp>
#include <openenv/base/base64.hpp>
#include <openenv/net/proxy.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace openenv {
inline namespace v0 {
namespace net {

namespace ip = boost::asio::ip;

namespace {

/// The first of these variables that is set and not empty, and its name.
std::optional<std::pair<std::string, std::string>> first_of(
    const VariableReader& variable, std::initializer_list<std::string_view> names
) {
    for (const std::string_view name : names) {
        for (const std::string& spelling : {std::string(name), ascii_upper(name)}) {
            const char* value = variable(spelling.c_str());
            if (value != nullptr && *value != '\0') {
                return std::pair(spelling, std::string(value));
            }
        }
    }
    return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_in_network(const std::string& network, const ip::address& address) {
    boost::system::error_code error;
    if (address.is_v4()) {
        const auto v4 = ip::make_network_v4(network, error);
        return !error &&
               v4.canonical() == ip::network_v4(address.to_v4(), v4.prefix_length()).canonical();
    }
    const auto v6 = ip::make_network_v6(network, error);
    return !error &&
           v6.canonical() == ip::network_v6(address.to_v6(), v6.prefix_length()).canonical();
}

/// An entry of no_proxy.
struct Named {
    std::string host;  // without the brackets of an IPv6 address
    std::optional<std::string> port;
};

Named split(const std::string& entry) {
    if (!entry.empty() && entry.front() == '[') {
        const std::size_t bracket = std::min(entry.find(']'), entry.size());
        Named named{entry.substr(1, bracket - 1), std::nullopt};
        if (bracket + 1 < entry.size() && entry[bracket + 1] == ':') {
            named.port = entry.substr(bracket + 2);
        }
        return named;
    }
    const std::size_t host_end = entry.find(':');
    if (host_end == std::string::npos || entry.find(':', host_end + 1) != std::string::npos) {
        return {entry, std::nullopt};  // an IPv6 address without brackets has no port
    }
    return {entry.substr(0, host_end), entry.substr(host_end + 1)};
}

/// Whether one entry of no_proxy means this URL.
bool covers(std::string_view entry, const Url& url) {
    entry = trimmed(entry);
    if (entry.empty()) {
        return false;
    }
    if (entry == "*") {
        return true;
    }
    boost::system::error_code error;
    const ip::address address = ip::make_address(url.host, error);
    if (!error && entry.find('/') != std::string_view::npos) {
        return is_in_network(std::string(entry), address);
    }
    const Named named = split(ascii_lower(entry));
    if (named.port && *named.port != std::to_string(url.port_or_default())) {
        return false;
    }
    if (!error) {
        // Compared as addresses: they can be written in many ways, and have no suffixes.
        const ip::address listed = ip::make_address(named.host, error);
        return !error && listed == address;
    }
    std::string_view name = named.host;
    name.remove_prefix(std::min(name.size(), name.find_first_not_of("*.")));
    return !name.empty() && (url.host == name || url.host.ends_with("." + std::string(name)));
}

bool is_excluded(const Url& url, const VariableReader& variable) {
    const auto list = first_of(variable, {"no_proxy"});
    std::string_view rest = list ? std::string_view(list->second) : std::string_view();
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        if (covers(rest.substr(0, comma), url)) {
            return true;
        }
        rest.remove_prefix(std::min(rest.size(), comma + 1));
    }
    return false;
}

/// "%40" is "@", in user names and passwords.
std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned value = 0;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16).ptr ==
                text.data() + i + 3) {
            out += static_cast<char>(value);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

Proxy parse_proxy(const std::string& name, std::string_view text) {
    // The value may hold a password: messages name the variable alone.
    const std::size_t scheme_end = text.find("://");
    if (scheme_end != std::string_view::npos) {
        const std::string scheme = ascii_lower(text.substr(0, scheme_end));
        if (scheme != "http") {
            throw ConfigError(
                name + " names a " + scheme +
                ":// proxy, and only http:// is supported; name such a one, or list the host in "
                "NO_PROXY"
            );
        }
        text.remove_prefix(scheme_end + 3);
    }
    text = text.substr(0, text.find('/'));
    Proxy proxy;
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
        const std::string login = decoded(text.substr(0, at));
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(login.data());
        proxy.authorization = "Basic ";
        append_base64(proxy.authorization, {bytes, login.size()});
        text.remove_prefix(at + 1);
    }
    try {
        const Url address = parse_url(text);
        proxy.host = address.host;
        proxy.port = address.port_or_default();
    } catch (const ConfigError&) {
        throw ConfigError(
            name + " is not the address of a proxy; it has to be like http://host:3128"
        );
    }
    return proxy;
}

}  // namespace

std::optional<Proxy> proxy_for(const Url& url, const VariableReader& variable) {
    if (url.is_loopback() || is_excluded(url, variable)) {
        return std::nullopt;
    }
    const auto found = url.tls ? first_of(variable, {"wss_proxy", "https_proxy"})
                               : first_of(variable, {"ws_proxy", "https_proxy", "http_proxy"});
    if (!found) {
        return std::nullopt;
    }
    return parse_proxy(found->first, found->second);
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
