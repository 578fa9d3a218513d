#include <openenv/base/ascii.hpp>
#include <openenv/net/url.hpp>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <charconv>

namespace openenv {
inline namespace v0 {
namespace net {

namespace {

/// What comes before an '@' may be a password, and is not shown.
[[noreturn]] void refuse(std::string_view text, std::string_view why) {
    const std::size_t at = text.rfind('@');
    const std::string shown = at == std::string_view::npos
                                  ? std::string(text)
                                  : "...@" + std::string(text.substr(at + 1));
    throw ConfigError("'" + shown + "' is no address of a server: " + std::string(why));
}

constexpr std::string_view kUnixScheme = "unix:";

Url unix_url(std::string_view text) {
    std::string_view file = text.substr(kUnixScheme.size());
    if (file.starts_with("//")) {
        file.remove_prefix(2);  // of an authority that is empty, as in file:///
    }
    if (!file.starts_with('/')) {
        refuse(text, "the path of the socket has to begin with a '/': unix:/run/env.sock");
    }
    for (const char c : file) {
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
            refuse(text, "its path has a control character");
        }
    }
    if (without_trailing_slashes(file) != file) {
        refuse(text, "it ends with a '/', and a socket is no folder");
    }
    if (file.size() > kLongestSocketFile) {
        refuse(
            text,
            "its path has " + std::to_string(file.size()) + " bytes, and a socket's can have " +
                std::to_string(kLongestSocketFile)
        );
    }
    Url url;
    url.host = "localhost";
    url.socket_file = std::string(file);
    return url;
}

bool is_ipv6_address(const std::string& text) {
    boost::system::error_code error;
    boost::asio::ip::make_address_v6(text, error);
    return !error;
}

void read_authority(std::string_view whole, std::string_view authority, Url& url) {
    if (authority.find('@') != std::string_view::npos) {
        refuse(
            whole,
            "user names and passwords do not belong in it; leave out what stands before the '@'"
        );
    }
    std::string_view port;
    if (!authority.empty() && authority.front() == '[') {
        const std::size_t end = authority.find(']');
        if (end == std::string_view::npos) {
            refuse(whole, "the ']' of an IPv6 address is missing");
        }
        url.host = ascii_lower(authority.substr(1, end - 1));
        if (!is_ipv6_address(url.host)) {
            refuse(whole, "what stands in brackets has to be an IPv6 address");
        }
        port = authority.substr(end + 1);
        if (!port.empty() && port.front() != ':') {
            refuse(whole, "a port follows the address after a ':'");
        }
    } else {
        const std::size_t colon = authority.find(':');
        if (colon != std::string_view::npos &&
            authority.find(':', colon + 1) != std::string_view::npos) {
            refuse(whole, "an IPv6 address is written in brackets, such as [::1]:8000");
        }
        url.host = ascii_lower(authority.substr(0, colon));
        port = colon == std::string_view::npos ? std::string_view() : authority.substr(colon);
    }
    if (url.host.empty()) {
        refuse(whole, "it names no host");
    }
    for (const char c : url.host) {
        if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F) {
            refuse(whole, "its host has a blank or a control character");
        }
    }
    if (port.size() > 1) {
        port.remove_prefix(1);
        std::uint16_t number = 0;
        const char* end = port.data() + port.size();
        const auto [stopped, error] = std::from_chars(port.data(), end, number);
        if (error != std::errc() || stopped != end || number == 0) {
            refuse(whole, "the port has to be a number from 1 to 65535");
        }
        url.port = number;
    }
}

}  // namespace

std::string_view without_trailing_slashes(std::string_view text) {
    while (!text.empty() && text.back() == '/') {
        text.remove_suffix(1);
    }
    return text;
}

std::string Url::authority() const {
    std::string out = host.find(':') == std::string::npos ? host : "[" + host + "]";
    if (port) {
        out += ":" + std::to_string(*port);
    }
    return out;
}

std::string Url::target(std::string_view name) const {
    const std::string last = "/" + std::string(name);
    std::string out = path.ends_with(last) ? path : path + last;
    if (!query.empty()) {
        out += "?" + query;
    }
    return out;
}

std::string Url::websocket_text() const {
    if (!socket_file.empty()) {
        return "unix:" + socket_file;
    }
    return (tls ? "wss://" : "ws://") + authority() + target("ws");
}

std::string Url::http_text(std::string_view name) const {
    if (!socket_file.empty()) {
        return "unix:" + socket_file + ", " + target(name);
    }
    return (tls ? "https://" : "http://") + authority() + target(name);
}

bool Url::is_loopback() const {
    if (host == "localhost") {
        return true;
    }
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    if (error) {
        return false;
    }
    if (address.is_v6() && address.to_v6().is_v4_mapped()) {
        return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6())
            .is_loopback();
    }
    return address.is_loopback();
}

Url parse_url(std::string_view text) {
    const std::string_view whole = text;
    if (ascii_lower(text.substr(0, kUnixScheme.size())) == kUnixScheme) {
        return unix_url(text);
    }
    Url url;
    const std::size_t scheme_end = text.find("://");
    // A "://" further on belongs to a path or a query.
    if (scheme_end != std::string_view::npos && text.find_first_of("/?#") > scheme_end) {
        const std::string scheme = ascii_lower(text.substr(0, scheme_end));
        if (scheme == "https" || scheme == "wss") {
            url.tls = true;
        } else if (scheme != "http" && scheme != "ws") {
            refuse(whole, "its scheme is none of http, https, ws and wss");
        }
        text.remove_prefix(scheme_end + 3);
    }
    text = text.substr(0, text.find('#'));
    const std::size_t question = text.find('?');
    if (question != std::string_view::npos) {
        url.query = std::string(text.substr(question + 1));
        text = text.substr(0, question);
    }
    const std::size_t slash = std::min(text.find('/'), text.size());
    url.path = std::string(without_trailing_slashes(text.substr(slash)));
    for (const std::string* part : {&url.path, &url.query}) {
        for (const char c : *part) {
            if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F) {
                refuse(whole, "it has a blank or a control character");
            }
        }
    }
    read_authority(whole, text.substr(0, slash), url);
    return url;
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
