// Environments that wait, served.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/process_figures.hpp"
#include "support/expect_json.hpp"
#include "support/fixtures/waiting.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using fixture::Waiting;
using std::chrono::milliseconds;

constexpr const char* kHttpWait = R"({"action":{"what":"wait"}})";

using Sessions = std::vector<std::unique_ptr<RawWebSocket>>;

/// Sessions that wait at the gate.
Sessions waiting_sessions(const RunningServer& server, Waiting& shared, std::size_t count) {
    Sessions sessions;
    for (std::size_t i = 0; i != count; ++i) {
        sessions.push_back(open_session(server.port()));
        sessions.back()->send_text(Waiting::kWait);
    }
    shared.gate.wait_for_arrivals(count);
    return sessions;
}

void expect_all_gone(const RunningServer& server, const Waiting& shared) {
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0 && shared.alive == 0; }));
    EXPECT_EQ(shared.closed, shared.built);
    EXPECT_EQ(shared.wrong_thread, 0);
}

TEST(AsyncServer, ThousandSessionsWaitWhileOthersAreAnswered) {
    constexpr std::size_t kWaiting = 1000;
    LogCapture log;
    Waiting shared;
    ServerConfig config = quick_config(kWaiting + 1);
    config.threads = 2;
    RunningServer server(fixture::waiting_entry(shared), config);
    const Sessions sessions = waiting_sessions(server, shared, kWaiting);
    EXPECT_LT(threads_of_this_process(), 10U);

    const auto bystander = open_session(server.port());
    EXPECT_EQ(server.active_sessions(), kWaiting + 1);
    for (int i = 0; i != 20; ++i) {
        EXPECT_EQ(http_get(server.port(), "/health").status, 200);
        EXPECT_EQ(bystander->ask(Waiting::kStep)["data"]["observation"]["text"], "echo");
    }
    for (std::size_t i = 0; i < kWaiting; i += 100) {
        sessions[i]->expect_silence();  // its pings are answered
    }

    shared.gate.open();
    for (const auto& session : sessions) {
        EXPECT_EQ(session->receive_json()["data"]["observation"]["text"], "wait");
    }
    for (const auto& session : sessions) {
        close_session(*session);
    }
    close_session(*bystander);
    expect_all_gone(server, shared);
}

TEST(AsyncServer, AnswersInTheOrderOfTheMessages) {
    LogCapture log;
    Waiting shared;
    RunningServer server(fixture::waiting_entry(shared));
    const Sessions sessions = waiting_sessions(server, shared, 1);
    RawWebSocket& session = *sessions.front();
    session.send_text(Waiting::kStep);
    session.send_text(R"({"type":"state"})");
    session.expect_silence();
    shared.gate.open();
    EXPECT_EQ(session.receive_json()["data"]["observation"]["text"], "wait");
    EXPECT_EQ(session.receive_json()["data"]["observation"]["text"], "echo");
    EXPECT_EQ(session.receive_json()["data"]["step_count"], Json(2));
}

TEST(AsyncServer, PeerThatLeavesCancelsItsCallAndFreesThePlace) {
    LogCapture log;
    Waiting shared;
    RunningServer server(fixture::waiting_entry(shared), quick_config(1));
    {
        const Sessions sessions = waiting_sessions(server, shared, 1);
        sessions.front()->socket().close();
    }
    const auto next = wait_for_session(server.port(), 1);
    EXPECT_EQ(next->ask(Waiting::kStep)["type"], "observation");
    EXPECT_EQ(shared.stopped, 1);
    close_session(*next);
    expect_all_gone(server, shared);
}

TEST(AsyncServer, CallOutOfTimeIsToldOnce) {
    LogCapture log;
    Waiting shared;
    ServerConfig config = quick_config();
    config.call_timeout = milliseconds(1000);  // the reset has to succeed within it
    RunningServer server(fixture::waiting_entry(shared), config);
    const Sessions sessions = waiting_sessions(server, shared, 1);
    RawWebSocket& session = *sessions.front();
    const Json late = session.receive_json();
    EXPECT_THAT(late, is_error("EXECUTION_ERROR"));
    EXPECT_THAT(late.dump(), testing::HasSubstr("step ran for longer"));
    session.expect_silence();
    EXPECT_TRUE(eventually([&] { return shared.alive == 0; }));
    EXPECT_EQ(shared.stopped, 1);
    EXPECT_EQ(session.ask(R"({"type":"reset","data":{}})")["type"], "observation");
    session.expect_silence();
}

TEST(AsyncServer, StopCancelsWhatStillWaitsAfterTheGraceTime) {
    constexpr std::size_t kWaiting = 100;
    LogCapture log;
    Waiting shared;
    ServerConfig config = quick_config(kWaiting);
    config.shutdown_grace = milliseconds(300);
    RunningServer server(fixture::waiting_entry(shared), config);
    const Sessions sessions = waiting_sessions(server, shared, kWaiting);
    EXPECT_EQ(server.stop(), 0U);
    EXPECT_EQ(shared.stopped, static_cast<int>(kWaiting));
    EXPECT_EQ(server.active_sessions(), 0U);
    expect_all_gone(server, shared);
}

TEST(AsyncServer, StopLetsCallsEndWithinTheGraceTime) {
    LogCapture log;
    Waiting shared;
    ServerConfig config = quick_config();
    config.shutdown_grace = kHangBound;
    RunningServer server(fixture::waiting_entry(shared), config);
    const Sessions sessions = waiting_sessions(server, shared, 1);
    auto stopped = std::async(std::launch::async, [&] { return server.stop(); });
    shared.gate.open();
    EXPECT_EQ(sessions.front()->receive_json()["type"], "observation");
    EXPECT_EQ(sessions.front()->receive_close().code, 1001);
    sessions.front()->socket().close();
    EXPECT_EQ(stopped.get(), 0U);
    EXPECT_EQ(shared.stopped, 0);
}

TEST(AsyncServer, HttpStepsWaitSideBySide) {
    constexpr std::size_t kCalls = 32;
    LogCapture log;
    log.expect_error("/step failed: thrown later");
    Waiting shared;
    ServerConfig config = quick_config();
    config.threads = 1;
    RunningServer server(fixture::waiting_entry(shared), config);
    std::vector<std::future<HttpReply>> replies;
    for (std::size_t i = 0; i != kCalls; ++i) {
        replies.push_back(std::async(std::launch::async, [&] {
            return http_post(server.port(), "/step", kHttpWait);
        }));
    }
    shared.gate.wait_for_arrivals(kCalls);
    EXPECT_EQ(http_get(server.port(), "/health").status, 200);
    EXPECT_EQ(http_post(server.port(), "/step", R"({"action":{"what":"throw"}})").status, 500);
    shared.gate.open();
    for (auto& reply : replies) {
        const HttpReply got = reply.get();
        EXPECT_EQ(got.status, 200);
        EXPECT_EQ(got.json()["observation"]["text"], "wait");
    }
    expect_all_gone(server, shared);
}

TEST(AsyncServer, HttpCallerThatLeavesCancelsItsCall) {
    LogCapture log;
    Waiting shared;
    RunningServer server(fixture::waiting_entry(shared));
    {
        Socket caller(server.port());
        const std::string body = kHttpWait;
        caller.send(
            "POST /step HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
            "content-length: " +
            std::to_string(body.size()) + "\r\n\r\n" + body
        );
        shared.gate.wait_for_arrivals(1);
        caller.close();
    }
    EXPECT_TRUE(eventually([&] { return shared.stopped == 1; }));
    expect_all_gone(server, shared);
}

}  // namespace
}  // namespace test
}  // namespace openenv
