#include <openenv/net/peer.hpp>

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace openenv::net {
namespace {

TEST(Peer, IsThisProcessByDefault) {
    EXPECT_EQ(Peer{}.text(), "in-process");
    EXPECT_TRUE(Peer{}.local);
}

TEST(Peer, OfAnIpv6AddressHasBrackets) {
    EXPECT_EQ((Peer{"2001:db8::1", 80, false}).text(), "[2001:db8::1]:80");
    EXPECT_EQ((Peer{"192.0.2.1", 80, false}).text(), "192.0.2.1:80");
}

TEST(Peer, OfAUnixSocketIsTheUser) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    const Peer peer = peer_of(ends[0]);
    EXPECT_EQ(peer.text(), "unix:" + std::to_string(::getuid()));
    EXPECT_TRUE(peer.local);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Peer, OfWhatIsNotConnectedIsUnknownAndNotLocal) {
    const int lonely = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(peer_of(lonely).text(), "unknown");
    EXPECT_FALSE(peer_of(lonely).local);
    ::close(lonely);
    EXPECT_FALSE(peer_of(-1).local);
}

/// What a datagram socket, which connects without asking anybody, says of its peer.
Peer peer_at(const std::string& address) {
    const bool v6 = address.find(':') != std::string::npos;
    const int socket = ::socket(v6 ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
    sockaddr_storage storage{};
    socklen_t size = 0;
    if (v6) {
        sockaddr_in6 where{};
        where.sin6_family = AF_INET6;
        where.sin6_port = htons(9);
        ::inet_pton(AF_INET6, address.c_str(), &where.sin6_addr);
        std::memcpy(&storage, &where, size = sizeof where);
    } else {
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_port = htons(9);
        ::inet_pton(AF_INET, address.c_str(), &where.sin_addr);
        std::memcpy(&storage, &where, size = sizeof where);
    }
    const int connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&storage), size);
    Peer peer = peer_of(socket);
    ::close(socket);
    if (connected != 0) {
        peer.host = "no way to " + address;  // a machine without that protocol, or without a route
    }
    return peer;
}

TEST(Peer, OnALoopbackAddressIsLocal) {
    for (const char* address : {"127.0.0.1", "127.8.9.10"}) {
        const Peer peer = peer_at(address);
        EXPECT_EQ(peer.text(), std::string(address) + ":9");
        EXPECT_TRUE(peer.local);
    }
    const Peer mapped = peer_at("::ffff:127.0.0.1");
    if (mapped.host.starts_with("no way")) {
        GTEST_SKIP() << mapped.host;
    }
    EXPECT_EQ(mapped.text(), "127.0.0.1:9");
    EXPECT_TRUE(mapped.local);
}

TEST(Peer, ElsewhereIsNotLocal) {
    const Peer peer = peer_at("192.0.2.1");
    if (peer.host.starts_with("no way")) {
        GTEST_SKIP() << peer.host;
    }
    EXPECT_EQ(peer.text(), "192.0.2.1:9");
    EXPECT_FALSE(peer.local);
}

}  // namespace
}  // namespace openenv::net
