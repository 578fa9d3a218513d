#include "bench/socket_address.hpp"

#include "bench/trouble.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <cstdint>
#include <filesystem>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>

namespace openenv::bench {
namespace {

TEST(SocketAddress, KnowsTheLoopback) {
    EXPECT_TRUE(resolve(net::parse_url("127.0.0.1:80")).at(0).is_ipv4_loopback());
    EXPECT_TRUE(resolve(net::parse_url("127.9.0.1:80")).at(0).is_ipv4_loopback());
    EXPECT_FALSE(resolve(net::parse_url("10.0.0.1:80")).at(0).is_ipv4_loopback());
    EXPECT_FALSE(resolve(net::parse_url("[::1]:80")).at(0).is_ipv4_loopback());
}

/// A socket that listens and accepts nobody.
Descriptor listening(const SocketAddress& address, int backlog) {
    Descriptor socket(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::bind(socket.number(), address.raw(), address.size), 0);
    EXPECT_EQ(::listen(socket.number(), backlog), 0);
    return socket;
}

TEST(SocketAddress, ManyConnectionsOverTheLoopbackLeaveFromSeveralAddresses) {
    SocketAddress address;
    auto& local = reinterpret_cast<sockaddr_in&>(address.storage);
    local.sin_family = AF_INET;
    local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.size = sizeof local;
    const Descriptor listener = listening(address, 8);
    ::getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address.storage), &address.size);
    for (const std::uint32_t source : {0U, 1U, 3U}) {
        const auto socket = begin_connecting(address, source * kConnectionsPerSource);
        ASSERT_TRUE(socket);
        sockaddr_in from{};
        socklen_t size = sizeof from;
        ::getsockname(socket->number(), reinterpret_cast<sockaddr*>(&from), &size);
        EXPECT_EQ(ntohl(from.sin_addr.s_addr), INADDR_LOOPBACK + source);
    }
}

TEST(SocketAddress, AFullUnixDomainSocketIsToBeTriedAgain) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("full");
    const SocketAddress address = resolve(net::parse_url("unix:" + path)).at(0);
    const Descriptor listener = listening(address, 0);
    const auto first = begin_connecting(address, 0);
    EXPECT_TRUE(first);
    EXPECT_FALSE(begin_connecting(address, 1));
    std::filesystem::remove(path);
    EXPECT_THROW(static_cast<void>(begin_connecting(address, 2)), Trouble);
}

}  // namespace
}  // namespace openenv::bench
