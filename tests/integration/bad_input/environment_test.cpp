// Environments that throw, throw what is no exception, or do not come back.
#include "integration/bad_input/victim.hpp"
#include "integration/support/eventually.hpp"
#include "support/expect_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>

namespace openenv {
namespace test {
namespace {

std::string step(const std::string& what) {
    return R"({"type":"step","data":{"what":")" + what + R"("}})";
}

HttpReply step_over_http(const Victim& victim, const std::string& what) {
    return http_post(victim.port(), "/step", R"({"action":{"what":")" + what + R"("}})");
}

TEST(BadInput, WhatAnEnvironmentThrowsIsToldAndTheSessionLives) {
    Victim victim;
    const auto session = open_session(victim.port());
    const Json thrown = session->ask(step("throw"));
    EXPECT_THAT(thrown, is_error("EXECUTION_ERROR"));
    EXPECT_EQ(thrown["data"]["message"], "step failed");
    const Json number = session->ask(step("throw_number"));
    EXPECT_THAT(number, is_error("EXECUTION_ERROR"));
    EXPECT_EQ(number["data"]["message"], "unknown exception");
    const Json state = session->ask(R"({"type":"state"})");
    EXPECT_EQ(state["data"]["step_count"], Json(2)) << "it is the same environment still";
    EXPECT_EQ(session->ask(Probe::kStep)["type"], "observation");
}

TEST(BadInput, AnExceptionWhoseTextIsNotUtf8IsToldAsText) {
    Victim victim;
    const auto session = open_session(victim.port());
    // Parsing is strict about UTF-8: that the frame can be read is the point.
    const Json frame = session->ask(step("throw_bad_text"));
    EXPECT_THAT(frame, is_error("EXECUTION_ERROR"));
    EXPECT_THAT(frame["data"]["message"].as_string(), testing::StartsWith("bad "));
    expect_alive(*session);
}

TEST(BadInput, WhatAnEnvironmentThrowsIsA500OverHttp) {
    Victim victim;
    victim.log.expect_error("step failed");
    victim.log.expect_error("unknown exception");
    victim.log.expect_error("bad ");
    for (const char* what : {"throw", "throw_number", "throw_bad_text"}) {
        const HttpReply reply = step_over_http(victim, what);
        EXPECT_EQ(reply.status, 500) << what;
        EXPECT_EQ(reply.body.find("failed"), std::string::npos) << "the cause is for the log";
    }
    EXPECT_EQ(step_over_http(victim, "echo").status, 200);
    victim.probe.life.wait_for_live(1);
    EXPECT_EQ(victim.probe.life.wrong_closes(), 0U);
}

ServerConfig with_deadline() {
    ServerConfig config = quick_config(8);
    config.call_timeout = std::chrono::seconds(1);  // others have to succeed within it
    return config;
}

TEST(BadInput, AStepThatDoesNotReturnIsGivenUpAndAResetStartsAnew) {
    Victim victim(with_deadline());
    const auto session = open_session(victim.port());
    const Json late = session->ask(Probe::kWait);
    EXPECT_THAT(late, is_error("EXECUTION_ERROR"));
    EXPECT_THAT(late["data"]["message"].as_string(), testing::HasSubstr("step ran"));
    for (const char* refused : {Probe::kStep, R"({"type":"state"})"}) {
        const Json frame = session->ask(refused);
        EXPECT_THAT(frame, is_error("EXECUTION_ERROR")) << refused;
        EXPECT_THAT(frame["data"]["message"].as_string(), testing::HasSubstr("reset")) << refused;
    }
    EXPECT_EQ(session->ask(R"({"type":"reset"})")["type"], "observation");
    EXPECT_EQ(session->ask(Probe::kStep)["type"], "observation");
    expect_alive(*session);
    EXPECT_EQ(victim.active_sessions(), 2U);
    EXPECT_EQ(victim.probe.life.live(), 3U) << "the one that hangs cannot be destroyed";
    victim.probe.gate.open();
    victim.probe.life.wait_for_live(2);
    EXPECT_EQ(victim.probe.life.wrong_closes(), 0U);
    expect_alive(*session);
}

TEST(BadInput, AStepThatDoesNotReturnEndsWithItsStopToken) {
    Victim victim(with_deadline());
    const auto session = open_session(victim.port());
    EXPECT_THAT(session->ask(Probe::kWaitForStop), is_error("EXECUTION_ERROR"));
    victim.probe.life.wait_for_stops(1);
    victim.probe.life.wait_for_live(1);
    EXPECT_EQ(session->ask(R"({"type":"reset"})")["type"], "observation");
}

TEST(BadInput, AStepThatDoesNotReturnIsA504OverHttp) {
    Victim victim(with_deadline());
    const HttpReply reply = step_over_http(victim, "wait");
    EXPECT_EQ(reply.status, 504);
    EXPECT_THAT(reply.json()["detail"].as_string(), testing::HasSubstr("step ran"));
    victim.probe.gate.open();
    victim.probe.life.wait_for_live(1);
    EXPECT_EQ(victim.probe.life.wrong_closes(), 0U);
}

TEST(BadInput, AFactoryThatDoesNotReturnIsA504OverHttp) {
    LogCapture log;
    Probe probe;
    Gate factory_gate;
    ServerConfig config = quick_config(2);
    config.creation_timeout = std::chrono::seconds(1);
    RunningServer server(probe_entry(probe, [&] { factory_gate.pass(); }), config);
    auto step = std::async(std::launch::async, [&] {
        return http_post(server.port(), "/step", R"({"action":{"what":"echo"}})");
    });
    auto reset =
        std::async(std::launch::async, [&] { return http_post(server.port(), "/reset", "{}"); });
    auto state = std::async(std::launch::async, [&] { return http_get(server.port(), "/state"); });
    for (auto* late : {&step, &reset, &state}) {
        const HttpReply reply = late->get();
        EXPECT_EQ(reply.status, 504);
        EXPECT_THAT(reply.json()["detail"].as_string(), testing::HasSubstr("creating"));
    }
    factory_gate.open();
    EXPECT_EQ(http_get(server.port(), "/state").status, 200);
    probe.life.wait_for_live(0);
    EXPECT_EQ(probe.life.steps(), 0U);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

TEST(BadInput, APeerThatLeavesAfterALateStepKeepsItsPlaceUntilTheStepIsBack) {
    Victim victim(with_deadline());
    {
        const auto session = open_session(victim.port());
        EXPECT_THAT(session->ask(Probe::kWait), is_error("EXECUTION_ERROR"));
    }
    EXPECT_EQ(victim.active_sessions(), 2U) << "its environment still exists";
    victim.probe.gate.open();
    victim.probe.life.wait_for_live(1);
    EXPECT_TRUE(eventually([&] { return victim.active_sessions() == 1; }));
}

TEST(BadInput, MoreStuckStepsThanWorkersDoNotStopTheRest) {
    ServerConfig config = with_deadline();
    config.workers = 1;
    Victim victim(config);
    for (int i = 0; i != 3; ++i) {
        const auto session = open_session(victim.port());
        EXPECT_THAT(session->ask(Probe::kWait), is_error("EXECUTION_ERROR"));
    }
    victim.expect_unharmed();
    victim.probe.gate.open();
    victim.probe.life.wait_for_live(1);
}

}  // namespace
}  // namespace test
}  // namespace openenv
