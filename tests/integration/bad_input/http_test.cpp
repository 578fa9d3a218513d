// Requests that are broken, too large, unfinished, or merely unusual.
#include "integration/bad_input/victim.hpp"
#include "support/expect_json.hpp"
#include "support/socket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::string_literals;
using std::chrono::milliseconds;

constexpr const char* kHealth = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";

ServerConfig impatient() {
    ServerConfig config = quick_config(8);
    config.request_timeout = milliseconds(1000);
    return config;
}

std::string post_head(const std::string& path, const std::string& headers) {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + headers +
           "\r\n\r\n";
}

TEST(BadInput, UnfinishedRequestsAreGivenUp) {
    Victim victim(impatient());
    const std::vector<std::string> halves{
        ""s,
        "G"s,
        "GET /health HTTP/1.1\r\n"s,
        "GET /health HTTP/1.1\r\nHost: x\r\nX-Y: "s,
        post_head("/step", "Content-Length: 100") + R"({"action":)",
        post_head("/step", "Transfer-Encoding: chunked") + "5\r\n{\"act"};
    std::vector<std::unique_ptr<Socket>> sockets;
    for (const std::string& half : halves) {
        sockets.push_back(std::make_unique<Socket>(victim.port()));
        sockets.back()->send(half);
    }
    victim.expect_unharmed();
    for (std::size_t i = 0; i != halves.size(); ++i) {
        SCOPED_TRACE(halves[i]);
        sockets[i]->wait_for_end();
    }
}

TEST(BadInput, ABodyThatTricklesInIsGivenUp) {
    constexpr std::size_t kAnnounced = 15'000'000;
    ServerConfig config = quick_config(8);
    config.body_timeout = milliseconds(300);
    Victim victim(config);
    Socket socket(victim.port());
    socket.send(post_head("/step", "Content-Length: " + std::to_string(kAnnounced)));
    // Each byte is progress, so that no limit of a standstill ends it.
    std::size_t sent = 0;
    while (sent != kAnnounced && socket.try_send("x")) {
        ++sent;
    }
    EXPECT_LT(sent, kAnnounced) << "the whole body was taken";
    EXPECT_EQ(victim.probe.life.steps(), 0U);
}

TEST(BadInput, AnUnfinishedSecondRequestIsGivenUpAsWell) {
    Victim victim(impatient());
    Socket socket(victim.port());
    std::string buffer;
    socket.send(kHealth);
    EXPECT_EQ(read_http_reply(socket, buffer).status, 200);
    socket.send("GET /health HTTP/1.1\r\nHost:");
    socket.wait_for_end();
}

TEST(BadInput, WhatIsNotHttpIsRefused) {
    Victim victim;
    for (const std::string& bytes :
         {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s,
          "hello\r\n\r\n"s,
          "GET\r\n\r\n"s,
          "GET /health\r\n\r\n"s,
          "GET /health HTTP/9.9\r\nHost: x\r\n\r\n"s,
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"s,
          "GET /health HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n"s,
          "GET /health HTTP/1.1\r\nHost: x\r\nA\0B: 1\r\n\r\n"s,
          "GET /hea\x01lth HTTP/1.1\r\nHost: x\r\n\r\n"s,
          "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"s,
          "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n"s,
          "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
          "Content-Length: 3\r\n\r\n{}"s,
          "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
          "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
          "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: "
          "99999999999999999999999999\r\n\r\n"s,
          "POST /step HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
          "xyz\r\n"s}) {
        SCOPED_TRACE(bytes);
        const HttpReply reply = http_bytes(victim.port(), bytes);
        EXPECT_EQ(reply.status, 400);
        EXPECT_TRUE(reply.json().contains("detail"));
    }
}

TEST(BadInput, HeadersThatAreTooLargeAreRefused) {
    Victim victim;
    const std::string large(40'000, 'h');
    const HttpReply header = http_get(victim.port(), "/health");
    EXPECT_EQ(header.status, 200);
    EXPECT_EQ(http(victim.port(), "GET", "/health", "", {{"X-Large", large}}).status, 431);
    EXPECT_EQ(http(victim.port(), "GET", "/" + large, "", {}).status, 431);
    Headers many;
    for (int i = 0; i != 3000; ++i) {
        many.emplace_back("X-" + std::to_string(i), "1");
    }
    EXPECT_EQ(http(victim.port(), "GET", "/health", "", many).status, 431);
}

TEST(BadInput, BodiesThatAreTooLargeAreRefused) {
    constexpr std::size_t kMaxBody = 4096;
    ServerConfig config = quick_config(8);
    config.max_message_bytes = kMaxBody;
    Victim victim(config);
    const std::string fits = R"({"a":")" + std::string(kMaxBody - 8, 'x') + R"("})";
    EXPECT_EQ(http_post(victim.port(), "/reset", fits).status, 200);
    EXPECT_EQ(http_post(victim.port(), "/reset", fits + " ").status, 413);
    EXPECT_EQ(http_post(victim.port(), "/reset", std::string(3'000'000, 'x')).status, 413);
    // Refused by its header alone: nothing of the body has to come.
    const std::string announced = post_head("/reset", "Content-Length: 5000000000");
    EXPECT_EQ(http_bytes(victim.port(), announced).status, 413);
    const std::string chunked = post_head("/reset", "Transfer-Encoding: chunked") + "1001\r\n" +
                                std::string(0x1001, 'x') + "\r\n0\r\n\r\n";
    EXPECT_EQ(http_bytes(victim.port(), chunked).status, 413);
}

TEST(BadInput, BodiesThatAreNoJsonAreRefused) {
    Victim victim;
    for (const std::string& body :
         {std::string("{"),
          std::string("action=x"),
          std::string("[]"),
          std::string("1"),
          std::string("{\"action\":{\"what\":\"\xff\"}}"),
          R"({"action":)" + std::string(100'000, '[') + "}",
          std::string(R"({"action":null})"),
          std::string(R"({"action":{"what":1}})"),
          std::string(R"({"action":{"what":"\ud800"}})"),
          std::string(R"({"action":{"what":"x","unknown":NaN}})"),
          std::string()}) {
        SCOPED_TRACE(body.substr(0, 100));
        const HttpReply reply = http_post(victim.port(), "/step", body);
        EXPECT_EQ(reply.status, 422);
        EXPECT_TRUE(reply.json()["detail"].is_array());
    }
    EXPECT_EQ(victim.probe.life.steps(), 0U);
}

TEST(BadInput, ChunkedBodiesAreRead) {
    Victim victim;
    const std::string chunked =
        post_head("/step", "Transfer-Encoding: chunked\r\nConnection: close") +
        "5;extension=1\r\n{\"act\r\n"
        "14\r\nion\":{\"what\":\"echo\"}\r\n"
        "1\r\n}\r\n"
        "0\r\nTrailer: 1\r\n\r\n";
    const HttpReply reply = http_bytes(victim.port(), chunked);
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.json()["observation"]["text"], "echo");
}

TEST(BadInput, RequestsSentAheadAreAnsweredInOrder) {
    Victim victim;
    Socket socket(victim.port());
    const std::string body = R"({"action":{"what":"echo"}})";
    const std::string length = "Content-Length: " + std::to_string(body.size());
    socket.send(
        std::string(kHealth) + post_head("/step", length) + body +
        "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n" +
        "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + kHealth
    );
    std::string buffer;
    EXPECT_EQ(read_http_reply(socket, buffer).body, R"({"status":"healthy"})");
    EXPECT_EQ(read_http_reply(socket, buffer).json()["observation"]["text"], "echo");
    EXPECT_EQ(read_http_reply(socket, buffer).status, 404);
    EXPECT_EQ(read_http_reply(socket, buffer).status, 200);
    socket.wait_for_end();
    EXPECT_EQ(buffer, "") << "nothing is answered after Connection: close";
}

TEST(BadInput, AnAnswerToHeadHasNoBody) {
    Victim victim;
    Socket socket(victim.port());
    socket.send(std::string("HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n") + kHealth);
    std::string buffer;
    const HttpReply head = read_http_head(socket, buffer);
    EXPECT_EQ(head.status, 405);
    EXPECT_EQ(head.header("allow"), "GET");
    EXPECT_EQ(read_http_reply(socket, buffer).body, R"({"status":"healthy"})");
}

TEST(BadInput, OtherMethodsAreRefused) {
    Victim victim;
    for (const char* method : {"OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW"}) {
        EXPECT_EQ(http(victim.port(), method, "/health").status, 405) << method;
        EXPECT_EQ(http(victim.port(), method, "/step").header("allow"), "POST") << method;
        EXPECT_EQ(http(victim.port(), method, "/nowhere").status, 404) << method;
    }
}

TEST(BadInput, APeerThatAsksFirstIsToldToContinue) {
    Victim victim;
    Socket socket(victim.port());
    const std::string body = R"({"action":{"what":"echo"}})";
    socket.send(
        post_head("/step", "Expect: 100-continue\r\nContent-Length: " + std::to_string(body.size()))
    );
    std::string buffer;
    EXPECT_EQ(read_http_head(socket, buffer).status, 100);
    socket.send(body);
    EXPECT_EQ(read_http_reply(socket, buffer).status, 200);

    const std::string too_much =
        post_head("/step", "Expect: 100-continue\r\nContent-Length: 5000000000");
    EXPECT_EQ(http_bytes(victim.port(), too_much).status, 413);
}

TEST(BadInput, OldHttpIsServedOnce) {
    Victim victim;
    Socket socket(victim.port());
    socket.send("GET /health HTTP/1.0\r\n\r\n");
    std::string reply;
    for (std::string part = socket.receive_some(); !part.empty(); part = socket.receive_some()) {
        reply += part;
    }
    EXPECT_THAT(reply, testing::MatchesRegex("HTTP/1.[01] 200 OK\r\n(.|\n)*healthy(.|\n)*"));
}

TEST(BadInput, UpgradesToOtherPathsAreRefused) {
    Victim victim;
    for (const char* path : {"/", "/wss", "/ws/", "/health", "/ws/x", "//ws", "/%77s"}) {
        const RawWebSocket refused(victim.port(), path);
        EXPECT_EQ(refused.handshake_reply().status, 403) << path;
    }
    RawWebSocket with_query(victim.port(), "/ws?x=1");
    expect_alive(with_query);
}

std::string upgrade(const std::string& method, const std::string& headers) {
    return method + " /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
           headers + "\r\n";
}

TEST(BadInput, HandshakesThatLackSomethingAreRefused) {
    const std::string key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const std::string version = "Sec-WebSocket-Version: 13\r\n";
    Victim victim;
    for (const std::string& bytes :
         {upgrade("GET", ""),
          upgrade("GET", key),
          upgrade("GET", version),
          upgrade("GET", key + "Sec-WebSocket-Version: 8\r\n"),
          upgrade("GET", key + "Sec-WebSocket-Version: x\r\n")}) {
        SCOPED_TRACE(bytes);
        const int status = http_bytes(victim.port(), bytes).status;
        EXPECT_TRUE(status == 400 || status == 426) << status;
    }
    // Not an upgrade at all.
    EXPECT_EQ(http_get(victim.port(), "/ws").status, 404);
    EXPECT_EQ(http_bytes(victim.port(), upgrade("POST", key + version)).status, 404);
    EXPECT_EQ(victim.active_sessions(), 1U);
}

TEST(BadInput, BytesSentBeforeTheHandshakeIsAnsweredAreRefused) {
    Victim victim;
    const std::string handshake = upgrade(
        "GET",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n"
    );
    EXPECT_EQ(http_bytes(victim.port(), handshake + "\x81\x80\x01\x02\x03\x04").status, 400);
}

}  // namespace
}  // namespace test
}  // namespace openenv
