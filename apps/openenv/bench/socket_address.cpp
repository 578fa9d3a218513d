#include "bench/socket_address.hpp"

#include "bench/trouble.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/un.h>
#include <system_error>

namespace openenv::bench {
namespace {

/// 127.0.0.1; further sources come after it.
constexpr std::uint32_t kFirstLoopback = 0x7f000001;

const sockaddr_in& as_ipv4(const SocketAddress& address) {
    return reinterpret_cast<const sockaddr_in&>(address.storage);
}

[[noreturn]] void throw_trouble(const char* what, int error) {
    const std::string text = std::string(what) + ": " + std::generic_category().message(error);
    switch (error) {
        case ECONNREFUSED:
            throw Trouble(Reason::connect_refused, text);
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM:
        case EADDRNOTAVAIL:
        case EADDRINUSE:
            throw Trouble(Reason::local, text);
        default:
            throw Trouble(Reason::connect_failed, text);
    }
}

SocketAddress unix_address(const std::string& path) {
    SocketAddress address;
    auto& target = reinterpret_cast<sockaddr_un&>(address.storage);
    target.sun_family = AF_UNIX;
    std::memcpy(target.sun_path, path.data(), path.size());
    address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    return address;
}

/// Lets more connections leave for one address than there are ephemeral ports.
void choose_source(const Descriptor& socket, std::size_t number) {
    const auto further = static_cast<std::uint32_t>(number / kConnectionsPerSource);
    sockaddr_in source{};
    source.sin_family = AF_INET;
    source.sin_addr.s_addr = htonl(kFirstLoopback + further);
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    const auto* raw = reinterpret_cast<const sockaddr*>(&source);
    if (::bind(socket.number(), raw, sizeof source) != 0) {
        throw_trouble("choosing a source address", errno);
    }
}

}  // namespace

bool SocketAddress::is_ipv4_loopback() const noexcept {
    return family() == AF_INET && (ntohl(as_ipv4(*this).sin_addr.s_addr) >> 24U) == 127;
}

std::vector<SocketAddress> resolve(const net::Url& url) {
    if (!url.socket_file.empty()) {
        return {unix_address(url.socket_file)};
    }
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const std::string port = std::to_string(url.port_or_default());
    const int error = ::getaddrinfo(url.host.c_str(), port.c_str(), &wanted, &found);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
    std::vector<SocketAddress> addresses;
    for (const addrinfo* each = found; error == 0 && each != nullptr; each = each->ai_next) {
        SocketAddress address;
        std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
        address.size = each->ai_addrlen;
        addresses.push_back(address);
    }
    if (addresses.empty()) {
        throw Trouble(
            Reason::connect_failed, fmt::format("resolving {}: {}", url.host, ::gai_strerror(error))
        );
    }
    return addresses;
}

std::optional<Descriptor> begin_connecting(const SocketAddress& address, std::size_t number) {
    Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket.is_open()) {
        throw_trouble("opening a socket", errno);
    }
    if (address.family() != AF_UNIX) {
        const int on = 1;
        ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    if (number >= kConnectionsPerSource && address.is_ipv4_loopback()) {
        choose_source(socket, number);
    }
    const int result = ::connect(socket.number(), address.raw(), address.size);
    if (result != 0 && errno == EAGAIN) {
        return std::nullopt;
    }
    if (result != 0 && errno != EINPROGRESS) {
        throw_trouble("connecting", errno);
    }
    return socket;
}

void finish_connecting(const Descriptor& socket) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        throw_trouble("connecting", error);
    }
}

}  // namespace openenv::bench
