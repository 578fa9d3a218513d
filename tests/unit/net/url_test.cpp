#include <openenv/net/proxy.hpp>
#include <openenv/net/url.hpp>

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace openenv::net {
namespace {

TEST(Conformance, Case247AnAddressBecomesThatOfTheWebSocket) {
    const std::vector<std::pair<const char*, const char*>> cases{
        {"http://h:1", "ws://h:1/ws"},
        {"https://h/", "wss://h/ws"},
        {"ws://h//", "ws://h/ws"},
        {"wss://h/p/", "wss://h/p/ws"},
        {"h:8000", "ws://h:8000/ws"},
        {"localhost", "ws://localhost/ws"},
        {"HTTP://Host:80", "ws://host:80/ws"},
        {"WSS://h/A/b", "wss://h/A/b/ws"},
        {"ws://h/ws", "ws://h/ws"},
        {"ws://h/ws/", "ws://h/ws"},
        {"http://h/p?q=1", "ws://h/p/ws?q=1"},
        {"http://[::1]:8000/x", "ws://[::1]:8000/x/ws"},
        {"[::1]", "ws://[::1]/ws"},
        {"http://h:8000#part", "ws://h:8000/ws"},
        // Only what stands at the front is a scheme.
        {"http://h/x?u=http://y", "ws://h/x/ws?u=http://y"},
        {"h/x?u=ftp://y", "ws://h/x/ws?u=ftp://y"},
        {"h:1/ftp://y", "ws://h:1/ftp://y/ws"},
        {"h?u=https://y", "ws://h/ws?u=https://y"},
        {"h#https://y", "ws://h/ws"},
    };
    for (const auto& [given, expected] : cases) {
        EXPECT_EQ(parse_url(given).websocket_text(), expected) << given;
    }
}

TEST(Url, HasThePortOfItsScheme) {
    EXPECT_EQ(parse_url("http://h").port_or_default(), 80);
    EXPECT_EQ(parse_url("https://h").port_or_default(), 443);
    EXPECT_EQ(parse_url("wss://h:8443").port_or_default(), 8443);
    EXPECT_EQ(parse_url("h:").port_or_default(), 80);
}

TEST(Url, NamesTheFileOfAUnixSocket) {
    for (const char* text : {"unix:/run/env.sock", "unix:///run/env.sock", "UNIX:/run/env.sock"}) {
        const Url url = parse_url(text);
        EXPECT_EQ(url.socket_file, "/run/env.sock") << text;
        EXPECT_EQ(url.authority(), "localhost");
        EXPECT_EQ(url.target("ws"), "/ws");
        EXPECT_EQ(url.websocket_text(), "unix:/run/env.sock");
        EXPECT_EQ(url.http_text("schema"), "unix:/run/env.sock, /schema");
        EXPECT_TRUE(url.is_loopback());
        EXPECT_FALSE(url.tls);
    }
    EXPECT_EQ(parse_url("unix:/a b?c#d%20").socket_file, "/a b?c#d%20") << "as it stands";
    const std::string longest = "/" + std::string(kLongestSocketFile - 1, 'x');
    EXPECT_EQ(parse_url("unix:" + longest).socket_file, longest);
}

TEST(Url, RefusesFilesThatNoSocketCanHave) {
    const std::string too_long = "unix:/" + std::string(kLongestSocketFile, 'x');
    for (const std::string& text :
         {std::string("unix:"),
          std::string("unix:/"),
          std::string("unix://"),
          std::string("unix:///"),
          std::string("unix:env.sock"),
          std::string("unix:8000"),
          std::string("unix://host/env.sock"),
          std::string("unix:/run/"),
          std::string("unix:/run/a\nb"),
          std::string("unix:/run/a\0b", 13),
          too_long}) {
        EXPECT_THROW((void)parse_url(text), ConfigError) << text;
    }
    try {
        (void)parse_url(too_long);
    } catch (const ConfigError& error) {
        EXPECT_NE(std::string(error.what()).find("108 bytes"), std::string::npos) << error.what();
    }
}

TEST(Url, RefusesWhatIsNone) {
    for (const char* text :
         {"",
          "/",
          "http://",
          "http:///p",
          "ftp://h",
          "socks5://h",
          "http://h:0",
          "http://h:65536",
          "http://h:x",
          "http://user:secret@h",
          "::1",
          "http://[::1",
          "http://[::1]x",
          "http://[name]",
          "[name]:8000",
          "http://[127.0.0.1]",
          "http://[]",
          "http://[::1]]",
          "foo_bar://h",
          "://h",
          "http://h h",
          "http://h/a b",
          "http://h\r\nX: y",
          "http://h/p\r\nX: y",
          "http://h?a\nb"}) {
        EXPECT_THROW((void)parse_url(text), ConfigError) << text;
    }
}

TEST(Url, ShowsNoPasswordInARefusal) {
    for (const char* text :
         {"http://user:secret@h",
          "user:secret@h",
          "ftp://user:secret@h",
          "http://user:secret@h/a b",
          "http://user:sec/secret@h",
          "http://user:sec?secret@h",
          "http://user:secret#secret@h:x",
          "http://user:secret@secret@h:x",
          "http://user:secret@[name]"}) {
        try {
            (void)parse_url(text);
            ADD_FAILURE() << text;
        } catch (const ConfigError& error) {
            const std::string told = error.what();
            EXPECT_EQ(told.find("secret"), std::string::npos) << told;
            EXPECT_EQ(told.find("user:"), std::string::npos) << told;
            EXPECT_NE(told.find("is no address of a server"), std::string::npos) << told;
        }
    }
}

TEST(Conformance, Case256LoopbackIsKnownByItsParsedHost) {
    for (const char* url :
         {"localhost",
          "http://LocalHost:1",
          "127.0.0.1",
          "127.5.5.5:80",
          "[::1]:1",
          "[::ffff:127.0.0.1]"}) {
        EXPECT_TRUE(parse_url(url).is_loopback()) << url;
    }
}

TEST(Conformance, Case257WhatOnlyLooksLikeLoopback) {
    for (const char* url :
         {"my-localhost-proxy.example.com",
          "127.0.0.1.example.com",
          "localhost.attacker.com",
          "localhost.localdomain",
          "0.0.0.0",
          "[::]",
          "128.0.0.1",
          "10.127.0.0"}) {
        EXPECT_FALSE(parse_url(url).is_loopback()) << url;
    }
}

/// The environment of a test.
class Variables {
public:
    Variables(std::initializer_list<std::pair<const std::string, std::string>> all) : all_(all) {}
    [[nodiscard]] std::optional<Proxy> proxy(const char* url) const {
        return proxy_for(parse_url(url), [this](const char* name) -> const char* {
            const auto found = all_.find(name);
            return found == all_.end() ? nullptr : found->second.c_str();
        });
    }

private:
    std::map<std::string, std::string> all_;
};

TEST(Proxy, IsChosenByTheVariables) {
    const Variables all{
        {"http_proxy", "http://plain:1"},
        {"HTTPS_PROXY", "http://Secure:2/"},
        {"WS_PROXY", "special:3"},
    };
    EXPECT_EQ(all.proxy("ws://h")->host, "special");
    EXPECT_EQ(all.proxy("ws://h")->port, 3);
    EXPECT_EQ(all.proxy("wss://h")->host, "secure");
    EXPECT_EQ((Variables{{"http_proxy", "plain"}}.proxy("http://h")->port), 80);
    EXPECT_EQ((Variables{{"http_proxy", "plain"}}.proxy("https://h")), std::nullopt);
    EXPECT_EQ((Variables{}.proxy("http://h")), std::nullopt);
    EXPECT_EQ((Variables{{"http_proxy", ""}, {"HTTP_PROXY", "big:4"}}.proxy("h")->host), "big");
}

TEST(Proxy, IsNeverUsedForLoopback) {
    const Variables all{{"http_proxy", "http://p:1"}, {"https_proxy", "http://p:1"}};
    for (const char* url : {"localhost", "127.0.0.1", "127.5.5.5", "[::1]", "wss://LocalHost"}) {
        EXPECT_EQ(all.proxy(url), std::nullopt) << url;
    }
    EXPECT_NE(all.proxy("localhost.attacker.com"), std::nullopt);
    EXPECT_NE(all.proxy("0.0.0.0"), std::nullopt);
}

TEST(Proxy, LeavesOutWhatNoProxyLists) {
    const auto excluded = [](const char* list, const char* url) {
        return Variables{{"http_proxy", "p:1"}, {"NO_PROXY", list}}.proxy(url) == std::nullopt;
    };
    EXPECT_TRUE(excluded("*", "h"));
    EXPECT_TRUE(excluded("a.example, host.docker.internal", "host.docker.internal:8000"));
    EXPECT_TRUE(excluded(".example.com", "x.example.com"));
    EXPECT_TRUE(excluded("example.com", "x.example.com"));
    EXPECT_TRUE(excluded("EXAMPLE.com", "x.example.COM"));
    EXPECT_TRUE(excluded("h:8000", "h:8000"));
    EXPECT_TRUE(excluded("10.0.0.0/8", "10.1.2.3"));
    EXPECT_TRUE(excluded("fd00::/8", "[fd00::1]"));
    EXPECT_TRUE(excluded("[fd00::1]", "[fd00::1]"));
    EXPECT_TRUE(excluded("[fd00::1]:80", "[fd00::1]"));
    EXPECT_TRUE(excluded("[FD00::1]:8000", "[fd00::1]:8000"));
    EXPECT_TRUE(excluded("fd00::1", "[fd00:0:0::0:1]")) << "the same address";
    EXPECT_TRUE(excluded("[fd00:0:0::0:1]:80", "[fd00::1]")) << "the same address";
    EXPECT_TRUE(excluded("fd00::80", "[fd00::80]:1")) << "no port without brackets";
    EXPECT_FALSE(excluded("[fd00::1]:81", "[fd00::1]"));
    EXPECT_FALSE(excluded("[fd00::2]:80", "[fd00::1]"));
    EXPECT_FALSE(excluded("fd00::2", "[fd00::1]"));
    EXPECT_FALSE(excluded("[", "h"));
    EXPECT_FALSE(excluded(".", "h."));
    EXPECT_FALSE(excluded("1.2.3", "10.1.2.3")) << "addresses have no suffixes";
    EXPECT_FALSE(excluded("example.com", "badexample.com"));
    EXPECT_FALSE(excluded("h:8000", "h:8001"));
    EXPECT_FALSE(excluded("10.0.0.0/8", "11.1.2.3"));
    EXPECT_FALSE(excluded("10.0.0.0/8", "ten.example"));
    EXPECT_FALSE(excluded("", "h"));
    EXPECT_FALSE(excluded(",,", "h"));
}

TEST(Proxy, SendsItsLoginAndKeepsItOutOfMessages) {
    const auto proxy = Variables{{"http_proxy", "http://me:s%40crt@p:1"}}.proxy("h");
    EXPECT_EQ(proxy->authorization, "Basic bWU6c0BjcnQ=");
    EXPECT_EQ(proxy->host, "p");
    try {
        (void)Variables{{"http_proxy", "http://me:secret@:x"}}.proxy("h");
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("http_proxy"), std::string::npos);
    }
    EXPECT_THROW((void)(Variables{{"HTTP_PROXY", "socks5://p:1"}}.proxy("h")), ConfigError);
}

}  // namespace
}  // namespace openenv::net
