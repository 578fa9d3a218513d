// F15, F17, F19 and F20: how many sessions there are, and what those read who are too many.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/metrics_page.hpp"
#include "integration/support/probe_environment.hpp"
#include "integration/support/rounds.hpp"
#include "integration/support/together.hpp"
#include "support/expect_json.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

using Sessions = std::vector<std::unique_ptr<RawWebSocket>>;

TEST(Field, F15CapacityIsExactAndTheRefusalSaysWhatToChange) {
    constexpr std::size_t kLimit = 4;
    constexpr std::size_t kTooMany = 5;
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(kLimit));
    Sessions sessions(kLimit + kTooMany);
    together(sessions.size(), [&](std::size_t i) {
        sessions[i] = try_session(server.port(), kLimit);
    });
    const auto refused = std::count(sessions.begin(), sessions.end(), nullptr);
    EXPECT_EQ(refused, kTooMany);
    EXPECT_EQ(server.active_sessions(), kLimit);
    EXPECT_EQ(probe.life.most_live(), kLimit);
    EXPECT_TRUE(log.has("MAX_CONCURRENT_ENVS"));
}

/// 64 peers at once while the factory of the one place has not returned: one gets it.
void expect_one_of_many(RunningServer& server, Gate& factory_gate, Probe& probe) {
    constexpr std::size_t kPeers = 64;
    Gate refused;
    refused.open();
    std::atomic<std::size_t> admitted{0};
    auto opener = std::async(std::launch::async, [&] {
        refused.wait_for_arrivals(kPeers - 1);
        factory_gate.open();
    });
    together(kPeers, [&](std::size_t) {
        if (const auto session = try_session(server.port(), 1)) {
            ++admitted;
            close_session(*session);
        } else {
            refused.pass();
        }
    });
    opener.get();
    EXPECT_EQ(admitted, 1U);
    EXPECT_EQ(probe.life.most_live(), 1U);
}

TEST(Field, F17TheCapHoldsWhileAFactoryIsSlow) {
    LogCapture log;
    for (std::size_t round = 0; round != rounds(5, 1000); ++round) {
        Probe probe;
        Gate factory_gate;
        RunningServer server(
            probe_entry(probe, [&factory_gate] { factory_gate.pass(); }), quick_config(1)
        );
        expect_one_of_many(server, factory_gate, probe);
        const auto next = wait_for_session(server.port(), 1);
        EXPECT_EQ(probe.life.most_live(), 1U);
    }
}

TEST(Field, F17AFactoryThatThrowsGivesThePlaceBack) {
    LogCapture log;
    log.expect_error("no board today");
    Probe probe;
    Gate factory_gate;
    std::atomic<bool> broken{true};
    const auto factory = [&] {
        if (broken) {
            throw std::runtime_error("no board today");
        }
        factory_gate.pass();
    };
    ServerConfig config = quick_config(1);
    config.refusal_linger = std::chrono::milliseconds(50);
    RunningServer server(probe_entry(probe, factory), config);
    RawWebSocket first(server.port());
    EXPECT_THAT(first.receive_json(), is_error("FACTORY_ERROR"));
    EXPECT_EQ(first.receive_close().code, 1000);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    broken = false;
    expect_one_of_many(server, factory_gate, probe);
}

TEST(Field, F17APlaceIsTakenUntilTheEnvironmentOfAFactoryThatCameTooLateIsGone) {
    LogCapture log;
    Probe probe;
    probe.slow_closing = true;
    Gate factory_gate;
    ServerConfig config = quick_config(1);
    config.creation_timeout = std::chrono::seconds(1);  // the next one has to be built within it
    RunningServer server(probe_entry(probe, [&] { factory_gate.pass(); }), config);
    RawWebSocket first(server.port());
    const Json too_late = first.receive_json();
    EXPECT_THAT(too_late, is_error("SESSION_ERROR"));
    EXPECT_THAT(too_late["data"]["message"].as_string(), testing::HasSubstr("creating"));
    EXPECT_EQ(try_session(server.port(), 1), nullptr) << "the factory is still building";
    factory_gate.open();
    probe.close_gate.wait_for_arrivals(1);
    EXPECT_EQ(server.active_sessions(), 1U) << "the environment still exists";
    EXPECT_EQ(try_session(server.port(), 1), nullptr) << "the environment still exists";
    probe.close_gate.open();
    const auto next = wait_for_session(server.port(), 1);
    EXPECT_EQ(probe.life.most_live(), 1U);
}

TEST(Field, F19TheCapReportedIsTheCapEnforced) {
    constexpr std::size_t kLimit = 5;
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(kLimit));
    Sessions sessions;
    while (auto session = try_session(server.port(), kLimit)) {
        sessions.push_back(std::move(session));
        EXPECT_EQ(server.active_sessions(), sessions.size());
    }
    // try_session has compared the figures of the refusal with kLimit.
    EXPECT_EQ(sessions.size(), kLimit);
    const MetricsPage metrics = MetricsPage::of(server.port());
    EXPECT_EQ(metrics.value("openenv_sessions_active"), kLimit);
    EXPECT_EQ(metrics.value("openenv_sessions_max"), kLimit);
    const Json page = http_get(server.port(), "/sessions").json();
    EXPECT_EQ(page["sessions"].size(), kLimit);
    EXPECT_THAT(page, contains_json(R"({"active":5,"max":5,"complete":true})"));
    close_session(*sessions.back());
    sessions.back() = wait_for_session(server.port(), kLimit);
    EXPECT_EQ(server.active_sessions(), kLimit);
    EXPECT_EQ(try_session(server.port(), kLimit), nullptr);
}

TEST(Field, F20ARefusalOverWebSocketIsNoObservation) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const auto holder = open_session(server.port());
    for (const char* request :
         {R"({"type":"step","data":{"what":"echo"}})",
          R"({"type":"reset","data":{}})",
          R"({"type":"mcp","data":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}})"}) {
        RawWebSocket refused(server.port());
        refused.try_send_frame(Opcode::text, request);
        EXPECT_EQ(refused.receive_text(), capacity_frame(1)) << request;
        EXPECT_EQ(refused.receive_close().code, 1000) << request;
    }
    EXPECT_EQ(probe.life.steps(), 0U);
    expect_alive(*holder);
}

TEST(Field, F20ARefusalOverHttpIsNoObservation) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(1);
    config.max_stateless_calls = 1;
    RunningServer server(probe_entry(probe), config);
    auto waiting = std::async(std::launch::async, [&] {
        return http_post(server.port(), "/step", R"({"action":{"what":"wait"}})");
    });
    probe.gate.wait_for_arrivals(1);
    for (const char* path : {"/step", "/reset"}) {
        const HttpReply refused = http_post(server.port(), path, R"({"action":{"what":"echo"}})");
        EXPECT_EQ(refused.status, 503) << path;
        const Json body = refused.json();
        EXPECT_EQ(body.size(), 1U) << body.dump();
        EXPECT_TRUE(body.contains("detail")) << body.dump();
    }
    probe.gate.open();
    EXPECT_EQ(waiting.get().status, 200);
}

TEST(Field, F20AToolCallThatCannotBeMadeIsAJsonRpcError) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const std::string call =
        R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"guess","arguments":{}}})";
    const Json over_http = http_post(server.port(), "/mcp", call).json();
    EXPECT_THAT(over_http, contains_json(R"({"id":7,"error":{}})"));
    EXPECT_FALSE(over_http.contains("result"));
    const auto session = open_session(server.port());
    const Json over_ws = session->ask(R"({"type":"mcp","data":)" + call + "}");
    EXPECT_THAT(over_ws, contains_json(R"({"type":"mcp","data":{"id":7,"error":{}}})"));
    EXPECT_FALSE(over_ws["data"].contains("result"));
}

}  // namespace
}  // namespace test
}  // namespace openenv
