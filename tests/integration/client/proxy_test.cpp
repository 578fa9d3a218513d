// Proxies, and what is never reached through one (conformance cases 256 and 257).
#include "integration/client/counting.hpp"
#include "integration/client/one_by_one.hpp"
#include "integration/client/variables.hpp"
#include "integration/support/together.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A proxy that lets nobody through, and counts who asked.
class RefusingProxy {
public:
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + proxy_.port(); }
    /// How often it was asked since the last time.
    [[nodiscard]] int hits() { return hits_.exchange(0); }

private:
    std::atomic<int> hits_{0};
    OneByOne proxy_{[this](OneByOne::Socket socket) {
        ++hits_;
        (void)read_request(socket);
        send(socket, "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    }};
};

/// Why no connection comes about; empty when one does.
std::string failure_of(const std::string& url) {
    GenericEnvClient client(url);
    try {
        client.sync().connect();
        client.sync().close();
    } catch (const ConnectFailed& error) {
        return error.what();
    }
    return "";
}

// Of the six hosts of F53 the fourth, 0.0.0.0, is not reached directly: case 257 says that it is no
// loopback address, and it is the one that counts. `no_proxy` is the way to reach it.
struct Machine {
    [[nodiscard]] std::string port() const { return std::to_string(server.port()); }

    const NoProxies none = {};
    RefusingProxy proxy = {};
    ScriptedServer server{[](ScriptedPeer& peer) { peer.wait_for_close(); }};
};

TEST(Field, F53LoopbackIsNeverReachedThroughAProxy) {
    Machine here;
    for (const char* variable : {"http_proxy", "HTTP_PROXY", "WS_PROXY"}) {
        const Variable set(variable, here.proxy.url());
        for (const char* host : {"localhost", "LocalHost", "127.0.0.1"}) {
            EXPECT_EQ(failure_of("http://" + std::string(host) + ":" + here.port()), "") << host;
            EXPECT_EQ(here.proxy.hits(), 0) << host;
        }
    }
}

TEST(Field, F53NeitherIsThatOfIPv6) {
    Machine here;
    std::unique_ptr<OneByOne> server;
    try {
        server = std::make_unique<OneByOne>(
            [](OneByOne::Socket socket) {
                beast::websocket::stream<OneByOne::Socket> stream(std::move(socket));
                stream.accept();
                beast::flat_buffer buffer;
                stream.read(buffer);
            },
            asio::ip::address_v6::loopback()
        );
    } catch (const std::exception&) {
        GTEST_SKIP() << "this machine has no IPv6 loopback";
    }
    const Variable set("http_proxy", here.proxy.url());
    EXPECT_EQ(failure_of("http://[::1]:" + server->port()), "");
    EXPECT_EQ(here.proxy.hits(), 0);
}

TEST(Field, F53WhatOnlyLooksLikeLoopbackIs) {
    Machine here;
    for (const char* variable : {"http_proxy", "HTTP_PROXY"}) {
        const Variable set(variable, here.proxy.url());
        for (const char* host :
             {"localhost.evil.com",
              "my-localhost-proxy.example.com",
              "127.0.0.1.example.com",
              "0.0.0.0"}) {
            EXPECT_THAT(
                failure_of("http://" + std::string(host) + ":" + here.port()),
                AllOf(
                    StartsWith("Failed to connect to ws://" + std::string(host)),
                    HasSubstr("proxy 127.0.0.1"),
                    HasSubstr("403")
                )
            );
            EXPECT_EQ(here.proxy.hits(), 1) << host;
        }
    }
}

TEST(Field, F53OtherNamesOfThisMachineFollowNoProxy) {
    Machine here;
    // Nobody listens there, whatever the name means on this machine.
    const std::string url = "http://host.docker.internal:1";
    const Variable set("http_proxy", here.proxy.url());
    EXPECT_THAT(failure_of(url), HasSubstr("403"));
    EXPECT_EQ(here.proxy.hits(), 1);
    for (const char* variable : {"no_proxy", "NO_PROXY"}) {
        for (const char* list :
             {"host.docker.internal", "HOST.Docker.INTERNAL", "a.example, .docker.internal", "*"}) {
            const Variable left_out(variable, list);
            EXPECT_THAT(failure_of(url), AllOf(Not(""), Not(HasSubstr("proxy")))) << list;
            EXPECT_EQ(here.proxy.hits(), 0) << list;
        }
        const Variable other(variable, "docker.example,host.docker.internal:2");
        EXPECT_THAT(failure_of(url), HasSubstr("403"));
        EXPECT_EQ(here.proxy.hits(), 1);
    }
    for (const char* list : {"0.0.0.0", "10.0.0.0/8,0.0.0.0/8"}) {
        const Variable left_out("NO_PROXY", list);
        EXPECT_EQ(failure_of("http://0.0.0.0:" + here.port()), "") << list;
        EXPECT_EQ(here.proxy.hits(), 0) << list;
    }
}

TEST(Field, F53FiftyConnectAtOnceAndChangeNoVariable) {
    Machine here;
    const Variable plain("http_proxy", here.proxy.url());
    const Variable secure("HTTPS_PROXY", here.proxy.url());
    const Variable left_out("NO_PROXY", "somewhere.example");
    const std::vector<std::string> before = all_variables();
    const std::vector<std::string> hosts{"127.0.0.1", "localhost", "LocalHost"};
    together(50, [&](std::size_t i) {
        EXPECT_EQ(failure_of("http://" + hosts[i % hosts.size()] + ":" + here.port()), "");
    });
    EXPECT_EQ(here.proxy.hits(), 0);
    EXPECT_EQ(here.server.connections(), 50U);
    EXPECT_EQ(all_variables(), before);
}

TEST(Conformance, Case256LoopbackConnectsDirectlyWhereTheProxyIsDead) {
    const NoProxies none;
    const std::string dead = url_of_nobody();
    const Variable plain("http_proxy", dead);
    const Variable secure("https_proxy", dead);
    const std::vector<std::string> before = all_variables();
    ScriptedServer server([](ScriptedPeer& peer) { peer.wait_for_close(); });
    const std::string port = std::to_string(server.port());
    for (const char* host : {"localhost", "127.0.0.1", "LocalHost"}) {
        EXPECT_EQ(failure_of("http://" + std::string(host) + ":" + port), "") << host;
    }
    // Nobody listens there, but it is not the proxy that says so.
    for (const char* host : {"127.5.5.5", "[::1]"}) {
        EXPECT_THAT(
            failure_of("http://" + std::string(host) + ":" + port),
            AllOf(HasSubstr("connecting: "), Not(HasSubstr("proxy")))
        );
    }
    EXPECT_THAT(
        failure_of("http://env.example:" + port),
        ContainsRegex("proxy 127.0.0.1:[0-9]+: connecting: ")
    );
    EXPECT_EQ(all_variables(), before);
}

TEST(Client, TunnelsThroughTheProxyOfTheVariables) {
    const NoProxies none;
    std::promise<std::string> asked;
    std::promise<std::string> upgrade;
    OneByOne proxy([&](OneByOne::Socket socket) {
        asked.set_value(read_request(socket));
        send(socket, "HTTP/1.1 200 Connection established\r\n\r\n");
        beast::flat_buffer buffer;
        beast::http::request<beast::http::string_body> request;
        beast::http::read(socket, buffer, request);
        const auto token = request[beast::http::field::authorization];
        upgrade.set_value(std::string(token.data(), token.size()));
        beast::websocket::stream<OneByOne::Socket> stream(std::move(socket));
        stream.accept(request);
        stream.read(buffer);
        stream.write(asio::buffer(std::string_view(R"({"type":"state","data":{"step_count":3}})")));
        stream.read(buffer);
        stream.read(buffer);
    });
    const Variable set("http_proxy", "http://me:pw@127.0.0.1:" + proxy.port());
    ClientOptions options;
    options.token = "secret";
    CountClient client("http://env.example:8000/prefix", options);
    EXPECT_EQ(client.sync().state().step_count, 3);
    client.sync().close();
    EXPECT_THAT(
        asked.get_future().get(),
        AllOf(
            StartsWith("CONNECT env.example:8000 HTTP/1.1\r\n"),
            HasSubstr("\r\nProxy-Authorization: Basic bWU6cHc=\r\n"),
            Not(HasSubstr("secret"))
        )
    ) << "the token is for the server alone";
    EXPECT_EQ(upgrade.get_future().get(), "Bearer secret");
}

TEST(Client, AProxyThatRefusesIsNamed) {
    const NoProxies none;
    OneByOne proxy([](OneByOne::Socket socket) {
        (void)read_request(socket);
        send(socket, "HTTP/1.1 407 Who are you\r\ncontent-length: 0\r\n\r\n");
    });
    const Variable set("http_proxy", "http://me:secret@127.0.0.1:" + proxy.port());
    EXPECT_THAT(
        failure_of("http://env.example"),
        AllOf(HasSubstr("proxy 127.0.0.1"), HasSubstr("407"), Not(HasSubstr("secret")))
    );
}

}  // namespace
}  // namespace test
}  // namespace openenv
