// What a peer may not take of the server, however slowly or quietly it asks for it.
#include "integration/bad_input/victim.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/process_figures.hpp"
#include "integration/support/sanitized.hpp"
#include "support/expect_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
namespace test {
namespace {

constexpr std::size_t kMiB = 1024 * 1024;

/// Sends `part` again and again until the server has answered, at most 64 MiB of it.
void send_until_answered(Socket& socket, const std::string& part) {
    for (std::size_t sent = 0; sent < 64 * kMiB && !socket.readable(); sent += part.size()) {
        if (!socket.try_send(part)) {
            return;
        }
    }
}

TEST(BadInput, PartsOfAChunkedBodyThatNoLimitCoversAreBounded) {
    Victim victim;
    const std::string head = "POST /step HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string letters(64 * 1024, 'a');
    for (const char* start : {"1;", "0\r\nX: "}) {
        SCOPED_TRACE(start);
        Socket socket(victim.port());
        socket.send(head + start);
        send_until_answered(socket, letters);
        ASSERT_TRUE(socket.readable()) << "64 MiB were taken without a word";
        std::string buffer;
        EXPECT_EQ(read_http_head(socket, buffer).status, 400);
    }
}

TEST(BadInput, ATrailerThatIsNoHeaderIsAnswered) {
    Victim victim;
    const HttpReply reply = http_bytes(
        victim.port(),
        "POST /step HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        "2\r\n{}\r\n0\r\nbad trailer\r\n\r\n"
    );
    EXPECT_EQ(reply.status, 400);
}

TEST(BadInput, AnnouncingALargeMessageCommitsNoMemory) {
    if (kSanitized) {
        GTEST_SKIP() << "the memory of a sanitized process says nothing";
    }
    constexpr std::size_t kPeers = 64;
    Victim victim;
    const std::size_t before = resident_bytes();
    std::vector<std::unique_ptr<RawWebSocket>> peers;
    for (std::size_t i = 0; i != kPeers; ++i) {
        auto peer = std::make_unique<RawWebSocket>(victim.port(), "/mcp");
        FrameStyle style;
        style.claimed_size = 16 * kMiB - 1;
        peer->send_frame(Opcode::text, "{", style);
        peers.push_back(std::move(peer));
    }
    // Accepted in order by one of two threads each: who is answered now was read after them.
    for (int i = 0; i != 8; ++i) {
        RawWebSocket witness(victim.port(), "/mcp");
        EXPECT_EQ(witness.ask("{}")["jsonrpc"], "2.0");
    }
    EXPECT_LT(resident_bytes(), before + kPeers * kMiB) << "16 MiB each would be 1 GiB";
}

TEST(BadInput, WithoutTheTokenNoBodyIsListenedTo) {
    ServerConfig config = quick_config(8);
    config.token = "secret";
    Probe probe;
    RunningServer server(probe_entry(probe), config);
    const std::string head =
        "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n"
        "Expect: 100-continue\r\n\r\n";
    const HttpReply refused = http_bytes(server.port(), head);
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.header("www-authenticate"), "Bearer");
    for (const char* wrong :
         {"Bearer", "Bearer ", "Bearersecret", "Bearer secre", "Basic secret"}) {
        EXPECT_EQ(
            http(server.port(), "GET", "/metadata", "", {{"Authorization", wrong}}).status, 401
        ) << wrong;
    }
    EXPECT_EQ(
        http(server.port(), "GET", "/metadata", "", {{"Authorization", "bearer secret"}}).status,
        200
    );
    EXPECT_EQ(http_get(server.port(), "/health").status, 200);
    EXPECT_EQ(http_post(server.port(), "/health", "{}").status, 401);
}

TEST(BadInput, ConnectionsBeyondTheLimitAreToldSoAndOthersServed) {
    constexpr const char* kHealth = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    ServerConfig config = quick_config(8);
    config.max_connections = 3;
    LogCapture log;
    log.expect_error("max_connections");
    Probe probe;
    RunningServer server(probe_entry(probe), config);
    std::vector<std::unique_ptr<Socket>> peers;
    std::vector<std::string> buffers(3);
    for (std::string& buffer : buffers) {
        peers.push_back(std::make_unique<Socket>(server.port()));
        peers.back()->send(kHealth);
        EXPECT_EQ(read_http_reply(*peers.back(), buffer).status, 200);
    }
    {
        Socket refused(server.port());
        std::string buffer;
        const HttpReply reply = read_http_reply(refused, buffer);
        EXPECT_EQ(reply.status, 503);
        EXPECT_THAT(reply.json()["detail"].as_string(), testing::HasSubstr("all 3 connections"));
        refused.wait_for_end();
    }
    for (std::size_t i = 0; i != peers.size(); ++i) {
        peers[i]->send(kHealth);
        EXPECT_EQ(read_http_reply(*peers[i], buffers[i]).status, 200);
    }
    peers.pop_back();
    EXPECT_TRUE(eventually([&] {
        try {
            return http_get(server.port(), "/health").status == 200;
        } catch (const std::runtime_error&) {
            return false;  // closed once more
        }
    }));
}

TEST(BadInput, WhatAPeerCallsThingsIsRepeatedInPart) {
    Victim victim;
    const std::string name(kMiB, 'm');
    const std::string request = R"({"jsonrpc":"2.0","id":1,"method":")" + name + R"("})";
    EXPECT_LT(http_post(victim.port(), "/mcp", request).body.size(), 1000U);
    const std::string close =
        R"({"jsonrpc":"2.0","id":1,"method":"openenv/session/close","params":{"session_id":")" +
        name + R"("}})";
    EXPECT_LT(http_post(victim.port(), "/mcp", close).body.size(), 1000U);
    RawWebSocket attaching(victim.port(), "/ws?session_id=" + std::string(10'000, 's'));
    EXPECT_LT(attaching.receive_text().size(), 1000U);
}

TEST(BadInput, AnHttpCallWhoseCallerLeftIsAskedToStop) {
    Victim victim;
    {
        const std::string body = R"({"action":{"what":"wait_for_stop"}})";
        Socket socket(victim.port());
        socket.send(
            "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
            "\r\n\r\n" + body
        );
        victim.probe.life.wait_for_steps(1);
    }
    victim.probe.life.wait_for_stops(1);
    victim.probe.life.wait_for_live(1);
}

TEST(BadInput, AnHttpCallUnderWayDoesNotHoldUpTheEndOfTheServer) {
    ServerConfig config = quick_config(8);
    config.shutdown_grace = std::chrono::milliseconds(50);
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), config);
    const std::string body = R"({"action":{"what":"wait_for_stop"}})";
    Socket socket(server.port());
    socket.send(
        "POST /step HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body
    );
    probe.life.wait_for_steps(1);
    EXPECT_EQ(server.stop(), 0U);
    EXPECT_EQ(probe.life.live(), 0U);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

/// A client frame, to be sent in one piece with others.
std::string client_frame(Opcode opcode, std::string_view payload) {
    std::string frame{static_cast<char>(0x80U | static_cast<unsigned>(opcode))};
    frame += static_cast<char>(0x80U | payload.size());  // masked, by zeros
    frame.append(4, '\0');
    frame += payload;
    return frame;
}

TEST(BadInput, AMessageAndAGoodbyeInOneBreathEndARefusedConnection) {
    Probe probe;
    ServerConfig config = quick_config(1);
    config.close_timeout = std::chrono::seconds(5);  // nothing here may need it
    LogCapture log;
    RunningServer server(probe_entry(probe), config);
    const auto only = open_session(server.port());
    for (int i = 0; i != 50; ++i) {
        RawWebSocket refused(server.port());
        (void)refused.receive_text();
        refused.send_raw(
            client_frame(Opcode::text, R"({"type":"reset"})") +
            client_frame(Opcode::close, std::string_view("\x03\xe8", 2))
        );
        EXPECT_EQ(refused.receive_close().code, 1000);
    }
    expect_alive(*only);
    EXPECT_EQ(server.stop(), 0U) << "a task of a refused connection has not ended";
}

ServerConfig with_deadline() {
    ServerConfig config = quick_config(2);
    config.call_timeout = std::chrono::seconds(1);  // others have to succeed within it
    return config;
}

TEST(BadInput, ACallThatWasGivenUpKeepsThePlaceOfItsSession) {
    Victim victim(with_deadline());
    {
        const auto session = open_session(victim.port());
        EXPECT_THAT(session->ask(Probe::kWait), is_error("EXECUTION_ERROR"));
        close_session(*session);
    }
    EXPECT_EQ(try_session(victim.port(), 2), nullptr) << "its environment still runs";
    EXPECT_EQ(victim.active_sessions(), 2U);
    victim.probe.gate.open();
    close_session(*wait_for_session(victim.port(), 2));
    EXPECT_EQ(victim.probe.life.wrong_closes(), 0U);
}

TEST(BadInput, AnEnvironmentThatLivesAloneIsNotBuiltBesideOneThatStillRuns) {
    Probe probe;
    EnvironmentEntry entry = probe_entry(probe);
    entry.traits.supports_concurrent_sessions = false;
    ServerConfig config = with_deadline();
    config.max_concurrent_envs = 1;
    LogCapture log;
    RunningServer server(std::move(entry), config);
    const auto session = open_session(server.port());
    EXPECT_THAT(session->ask(Probe::kWait), is_error("EXECUTION_ERROR"));
    const Json refused = session->ask(R"({"type":"reset"})");
    EXPECT_THAT(refused, is_error("EXECUTION_ERROR"));
    EXPECT_THAT(
        refused["data"]["message"].as_string(), testing::HasSubstr("supports_concurrent_sessions")
    );
    probe.gate.open();
    probe.life.wait_for_live(0);
    EXPECT_TRUE(eventually([&] {
        return session->ask(R"({"type":"reset"})")["type"] == "observation";
    }));
    EXPECT_EQ(probe.life.most_live(), 1U);
}

}  // namespace
}  // namespace test
}  // namespace openenv
