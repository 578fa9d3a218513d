// F43: large observations, and peers that do not read them.
#include "integration/support/admission.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/process_figures.hpp"
#include "integration/support/rounds.hpp"
#include "integration/support/sanitized.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gtest/gtest.h>

#include <string>

namespace openenv {
namespace test {
namespace {

/// Fails the test unless the answer holds so many letters x.
void expect_letters(const Json& result, std::size_t count) {
    const std::string& text = result["observation"]["text"].as_string();
    EXPECT_EQ(text.size(), count);
    EXPECT_EQ(text.find_first_not_of('x'), std::string::npos);
}

TEST(Field, F43AnswersOfEverySizeArriveWhole) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(2));
    const auto session = open_session(server.port());
    const std::size_t top = rounds(4'000'000, 200'000'000);
    for (std::size_t size = 1024; size <= top; size *= 2) {
        const Json over_ws = session->ask(Probe::bulk(size));
        expect_letters(over_ws["data"], size);
        const std::string body =
            R"({"action":{"what":"bulk","size":)" + std::to_string(size) + "}}";
        expect_letters(http_post(server.port(), "/step", body).json(), size);
    }
    expect_letters(session->ask(Probe::bulk(top))["data"], top);
}

TEST(Field, F43APeerThatDoesNotReadHoldsUpNobodyElseAndNoMemory) {
    constexpr std::size_t kAnswer = 4'000'000;
    constexpr std::size_t kAnswers = 100;  // far more than any network takes without a reader
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(2);
    config.threads = 1;
    RunningServer server(probe_entry(probe), config);
    const auto slow = open_session(server.port());
    const auto other = open_session(server.port());
    const std::size_t before = resident_bytes();
    for (std::size_t i = 0; i != kAnswers; ++i) {
        slow->send_text(Probe::bulk(kAnswer));
    }
    slow->socket().wait_readable();
    const std::size_t steps = rounds(200, 20'000);
    for (std::size_t i = 0; i != steps; ++i) {
        ASSERT_EQ(other->ask(Probe::kStep)["type"], "observation");
    }
    // What the network does not take is not computed yet.
    EXPECT_LT(probe.life.steps() - steps, kAnswers / 2);
    if constexpr (!kSanitized) {
        EXPECT_LT(resident_bytes(), before + kAnswers * kAnswer / 2);
    }
    for (std::size_t i = 1; i != kAnswers; ++i) {
        EXPECT_GT(slow->receive_text().size(), kAnswer);
    }
    expect_letters(slow->receive_json()["data"], kAnswer);
    expect_alive(*slow);
}

TEST(Field, F43WhatIsSentBesideALargeAnswerComesBehindIt) {
    constexpr std::size_t kAnswer = 20'000'000;  // more than any network takes without a reader
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(2);
    config.threads = 1;
    RunningServer server(probe_entry(probe), config);
    const auto slow = open_session(server.port());
    const auto other = open_session(server.port());
    for (int round = 0; round != 3; ++round) {
        slow->send_text(Probe::bulk(kAnswer));
        slow->socket().wait_readable();
        for (const char* ping : {"one", "two"}) {
            slow->send_frame(Opcode::ping, ping);
            ASSERT_EQ(other->ask(Probe::kStep)["type"], "observation");  // the thread has moved on
        }
        const WsFrame answer = slow->receive_frame();
        ASSERT_EQ(answer.opcode, Opcode::text);
        expect_letters(Json::parse(answer.payload)["data"], kAnswer);
        for (const char* ping : {"one", "two"}) {
            const WsFrame pong = slow->receive_frame();
            EXPECT_EQ(pong.opcode, Opcode::pong);
            EXPECT_EQ(pong.payload, ping);
        }
    }
    slow->send_text(Probe::bulk(kAnswer));
    slow->socket().wait_readable();
    slow->send_close(1000);
    ASSERT_EQ(other->ask(Probe::kStep)["type"], "observation");
    expect_letters(slow->receive_json()["data"], kAnswer);
    EXPECT_EQ(slow->receive_close().code, 1000);
}

}  // namespace
}  // namespace test
}  // namespace openenv
