#include "integration/support/admission.hpp"

#include "support/raw_websocket.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace openenv {
namespace test {

namespace {

constexpr const char* kState = R"({"type":"state"})";

}  // namespace

std::string capacity_frame(std::size_t max_sessions) {
    const std::string max = std::to_string(max_sessions);
    return R"({"type":"error","data":{"message":"Server at capacity: )" + max + "/" + max +
           R"( sessions active. Cannot accept new connections.","code":"CAPACITY_REACHED",)" +
           R"("active_sessions":)" + max + R"(,"max_sessions":)" + max + "}}";
}

std::unique_ptr<RawWebSocket> try_session(std::uint16_t port, std::size_t max_sessions) {
    auto session = std::make_unique<RawWebSocket>(port);
    session->send_text(kState);
    const std::string answer = session->receive_text();
    if (Json::parse(answer)["type"] == "state") {
        return session;
    }
    EXPECT_EQ(answer, capacity_frame(max_sessions));
    EXPECT_EQ(session->receive_close().code, 1000);
    return nullptr;
}

std::unique_ptr<RawWebSocket> open_session(std::uint16_t port) {
    auto session = std::make_unique<RawWebSocket>(port);
    const Json answer = session->ask(kState);
    if (answer["type"] != "state") {
        throw std::runtime_error("not admitted: " + answer.dump());
    }
    return session;
}

std::unique_ptr<RawWebSocket> wait_for_session(
    std::uint16_t port, std::size_t max_sessions, std::chrono::seconds bound
) {
    const auto deadline = std::chrono::steady_clock::now() + bound;
    while (std::chrono::steady_clock::now() < deadline) {
        if (auto session = try_session(port, max_sessions)) {
            return session;
        }
    }
    throw std::runtime_error("no place became free");
}

void close_session(RawWebSocket& session) {
    session.send_text(R"({"type":"close"})");
    EXPECT_EQ(session.receive_close().code, 1000);
    session.socket().wait_for_end();
    session.socket().close();
}

void expect_alive(RawWebSocket& session) {
    EXPECT_EQ(session.ask(kState)["type"], "state");
}

}  // namespace test
}  // namespace openenv
