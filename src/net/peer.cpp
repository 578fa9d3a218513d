#include <openenv/net/peer.hpp>

#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>

namespace openenv {
inline namespace v0 {
namespace net {

namespace {

Peer of_ipv4(const in_addr& address, std::uint16_t port) {
    std::array<char, INET_ADDRSTRLEN> text{};
    ::inet_ntop(AF_INET, &address, text.data(), text.size());
    constexpr std::uint32_t kLoopback = 127;
    return {text.data(), port, ntohl(address.s_addr) >> 24 == kLoopback};
}

Peer of_ipv6(const in6_addr& address, std::uint16_t port) {
    if (IN6_IS_ADDR_V4MAPPED(&address)) {
        in_addr inner{};
        std::memcpy(&inner, address.s6_addr + 12, sizeof inner);
        return of_ipv4(inner, port);
    }
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(AF_INET6, &address, text.data(), text.size());
    return {text.data(), port, IN6_IS_ADDR_LOOPBACK(&address) != 0};
}

Peer of_unix(int socket) {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    const bool known = ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0;
    return {known ? "unix:" + std::to_string(credentials.uid) : "unix", 0, true};
}

}  // namespace

std::string Peer::text() const {
    if (port == 0) {
        return host;
    }
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Peer peer_of(int socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
        if (address.ss_family == AF_INET) {
            sockaddr_in v4{};
            std::memcpy(&v4, &address, sizeof v4);
            return of_ipv4(v4.sin_addr, ntohs(v4.sin_port));
        }
        if (address.ss_family == AF_INET6) {
            sockaddr_in6 v6{};
            std::memcpy(&v6, &address, sizeof v6);
            return of_ipv6(v6.sin6_addr, ntohs(v6.sin6_port));
        }
        if (address.ss_family == AF_UNIX) {
            return of_unix(socket);
        }
    }
    return {"unknown", 0, false};
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
