#pragma once

#include "bench/descriptor.hpp"

#include <openenv/net/url.hpp>

#include <cstddef>
#include <optional>
#include <sys/socket.h>
#include <vector>

namespace openenv::bench {

/// An address that a socket connects to.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;

    [[nodiscard]] int family() const noexcept { return storage.ss_family; }
    [[nodiscard]] const sockaddr* raw() const noexcept {
        return reinterpret_cast<const sockaddr*>(&storage);
    }
    /// Whether it is in 127.0.0.0/8, which is all this machine.
    [[nodiscard]] bool is_ipv4_loopback() const noexcept;
};

/// The addresses of a server, in the order of preference; at least one.
/// Errors: Trouble, connect_failed.  Blocking: asks the system's resolver.
[[nodiscard]] std::vector<SocketAddress> resolve(const net::Url& url);

/// So many connections to the same server leave from one address. There are more ports, but the
/// system takes half of them (every other one) first, and longer and longer to find the rest.
inline constexpr std::size_t kConnectionsPerSource = 10'000;

/// Begins to connect, without waiting: the socket becomes writable when that has been decided.
/// `number` counts the connections of this run: on the loopback every 10,000 of them come from an
/// address of their own. Nothing when the server has more to accept than it can: to be tried again
/// (of Unix domain sockets; others wait by themselves).
/// Errors: Trouble.
[[nodiscard]] std::optional<Descriptor> begin_connecting(
    const SocketAddress& address, std::size_t number
);

/// Says whether the connection that was begun has come about.
/// Errors: Trouble when it has not.
void finish_connecting(const Descriptor& socket);

}  // namespace openenv::bench
