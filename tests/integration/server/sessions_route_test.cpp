// GET /sessions and DELETE /sessions/{id}: who holds the places, and how to get one back.
#include "integration/support/admission.hpp"
#include "integration/support/eventually.hpp"
#include "integration/support/metrics_page.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/expect_json.hpp"
#include "support/http_request.hpp"
#include "support/log_capture.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"
#include "support/socket.hpp"

#include <openenv/env/typed_environment.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace openenv {
namespace test {
namespace {

Json sessions_of(const RunningServer& server) {
    const HttpReply reply = http_get(server.port(), "/sessions");
    EXPECT_EQ(reply.status, 200);
    return reply.json();
}

/// The only session that there is.
Json only_session(const RunningServer& server) {
    const Json page = sessions_of(server);
    if (page["sessions"].size() != 1) {
        throw std::runtime_error("not one session: " + page.dump());
    }
    return page["sessions"][0];
}

HttpReply release(const RunningServer& server, const std::string& id) {
    return http(server.port(), "DELETE", "/sessions/" + id);
}

TEST(SessionsRoute, ListsWhoHoldsAPlace) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(3));
    EXPECT_THAT(
        sessions_of(server),
        contains_json(R"({"sessions":[],"complete":true,"active":0,"max":3,"waiting":0})")
    );
    const auto session = open_session(server.port());
    (void)session->ask(R"({"type":"reset","data":{"episode_id":"ep\u0022 1"}})");
    (void)session->ask(Probe::kStep);
    const Json page = sessions_of(server);
    EXPECT_EQ(page["active"], 1);
    const Json one = only_session(server);
    EXPECT_EQ(one["state"], "idle");
    EXPECT_EQ(one["kind"], "websocket");
    EXPECT_EQ(one["features"], "");
    EXPECT_EQ(one["calls"], 3);
    EXPECT_EQ(one["episode_id"], "ep\" 1");
    EXPECT_THAT(one["peer"].as_string(), testing::StartsWith("127.0.0.1:"));
    EXPECT_GE(one["age_s"].as_double(), one["idle_s"].as_double());
    EXPECT_TRUE(one["call_s"].is_null());
    (void)session->ask(R"({"type":"reset","data":{}})");
    EXPECT_TRUE(only_session(server)["episode_id"].is_null()) << "that episode is over";
}

TEST(SessionsRoute, TellsWhatASessionIsDoing) {
    LogCapture log;
    Probe probe;
    Gate factory_gate;
    ServerConfig config = quick_config(4);
    config.workers = 1;
    config.threads = 1;
    RunningServer server(probe_entry(probe, [&] { factory_gate.pass(); }), config);
    RawWebSocket session(server.port());
    factory_gate.wait_for_arrivals(1);
    EXPECT_EQ(only_session(server)["state"], "creating");
    factory_gate.open();
    session.send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    const Json busy = only_session(server);
    EXPECT_EQ(busy["state"], "busy");
    EXPECT_EQ(busy["idle_s"], 0.0);
    EXPECT_TRUE(busy["call_s"].is_number());
    RawWebSocket second(server.port());  // its environment waits for the only worker
    EXPECT_TRUE(eventually([&] { return sessions_of(server)["workers"]["queued"] == 1; }));
    EXPECT_EQ(sessions_of(server)["workers"]["busy"], 1);
    probe.gate.open();
    EXPECT_EQ(session.receive_json()["type"], "observation");
}

TEST(SessionsRoute, ACallThatWaitsForAThreadIsQueued) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(4);
    config.workers = 1;
    RunningServer server(probe_entry(probe), config);
    const auto second = open_session(server.port());
    const auto first = open_session(server.port());
    first->send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    second->send_text(Probe::kStep);
    const auto states = [&] {
        std::vector<std::string> found;
        const Json page = sessions_of(server);
        for (const Json& session : page["sessions"].elements()) {
            found.push_back(session["state"].as_string());
        }
        return found;
    };
    EXPECT_TRUE(eventually([&] {
        return testing::Matches(testing::UnorderedElementsAre("busy", "queued"))(states());
    }));
    probe.gate.open();
    EXPECT_EQ(first->receive_json()["type"], "observation");
    EXPECT_EQ(second->receive_json()["type"], "observation");
}

TEST(SessionsRoute, AnIdleSessionCanBeReleased) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const auto session = open_session(server.port());
    const std::string id = only_session(server)["id"].as_string();
    const HttpReply reply = release(server, id);
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), contains_json(R"({"place":"free"})"));
    const auto next = open_session(server.port());  // at once
    const Json last = session->receive_json();
    EXPECT_THAT(last, is_error("SESSION_ERROR"));
    EXPECT_EQ(last["data"]["message"], "session released by an operator");
    EXPECT_EQ(session->receive_close(), (WsClose{1000, "session released by an operator"}));
    EXPECT_EQ(release(server, id).status, 404);
    EXPECT_TRUE(log.has("an operator releases the session"));
    probe.life.wait_for_closes(1);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

TEST(SessionsRoute, ASessionWithAStuckCallCanBeReleased) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe), quick_config(1));
    const auto session = open_session(server.port());
    session->send_text(Probe::kWait);
    probe.gate.wait_for_arrivals(1);
    EXPECT_EQ(release(server, only_session(server)["id"].as_string()).status, 200);
    const auto next = open_session(server.port());
    const Json last = session->receive_json();
    EXPECT_THAT(last, is_error("SESSION_ERROR"));
    EXPECT_EQ(last["data"]["message"], "session released by an operator");
    EXPECT_EQ(session->receive_close().code, 1000);
    EXPECT_EQ(sessions_of(server)["abandoned_threads"], 1);
    probe.gate.open();
    probe.life.wait_for_live(1);
    EXPECT_EQ(server.active_sessions(), 1U) << "the place was given back once";
    expect_alive(*next);
}

TEST(SessionsRoute, ASessionThatIsBeingBuiltCanBeReleased) {
    LogCapture log;
    Probe probe;
    Gate factory_gate;
    std::atomic<bool> slow{true};
    const auto factory = [&] {
        if (slow.exchange(false)) {
            factory_gate.pass();
        }
    };
    RunningServer server(probe_entry(probe, factory), quick_config(1));
    RawWebSocket session(server.port());
    factory_gate.wait_for_arrivals(1);
    EXPECT_EQ(release(server, only_session(server)["id"].as_string()).status, 200);
    const Json last = session.receive_json();
    EXPECT_EQ(last["data"]["message"], "session released by an operator");
    EXPECT_EQ(session.receive_close().code, 1000);
    const auto next = open_session(server.port());
    factory_gate.open();
    probe.life.wait_for_closes(1);
    EXPECT_EQ(server.active_sessions(), 1U);
}

TEST(SessionsRoute, ASessionWhoseClosingIsStuckCanBeReleased) {
    LogCapture log;
    Probe probe;
    probe.slow_closing = true;
    RunningServer server(probe_entry(probe), quick_config(1));
    const auto session = open_session(server.port());
    session->send_text(R"({"type":"close"})");
    probe.close_gate.wait_for_arrivals(1);
    EXPECT_EQ(server.active_sessions(), 1U);
    EXPECT_EQ(release(server, only_session(server)["id"].as_string()).status, 200);
    const auto next = open_session(server.port());
    probe.close_gate.open();
    probe.life.wait_for_closes(1);
    EXPECT_EQ(server.active_sessions(), 1U);
    expect_alive(*next);
}

TEST(SessionsRoute, OneWhoWaitsForAPlaceCanBeReleased) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config(1);
    config.queue_depth = 1;
    RunningServer server(probe_entry(probe), config);
    const auto holder = open_session(server.port());
    RawWebSocket waiting(server.port());
    std::string id;
    EXPECT_TRUE(eventually([&] {
        const Json page = sessions_of(server);
        for (const Json& session : page["sessions"].elements()) {
            if (session["state"] == "waiting") {
                id = session["id"].as_string();
            }
        }
        return !id.empty();
    }));
    EXPECT_EQ(release(server, id).status, 200);
    EXPECT_THAT(waiting.receive_json(), is_error("SESSION_ERROR"));
    EXPECT_EQ(waiting.receive_close().code, 1000);
    EXPECT_EQ(sessions_of(server)["waiting"], 0);
    expect_alive(*holder);
}

/// Takes one session at a time, and does not say that several may live.
class OnlyOne : public Environment<ProbeAction, ProbeObservation> {
public:
    explicit OnlyOne(Gate& gate) : gate_(gate) {}
    ProbeObservation reset(const ResetOptions&) override { return {}; }
    ProbeObservation step(const ProbeAction&, const StepOptions&) override {
        gate_.pass();
        return {};
    }
    [[nodiscard]] const State& state() const override { return state_; }

private:
    Gate& gate_;
    State state_;
};

TEST(SessionsRoute, WhereOnlyOneInstanceMayLiveThePlaceIsHeldUntilItIsGone) {
    LogCapture log;
    Gate gate;
    RunningServer server(
        environment_entry<OnlyOne>("only_one", [&] { return std::make_unique<OnlyOne>(gate); }),
        quick_config(1)
    );
    const auto session = open_session(server.port());
    session->send_text(Probe::kWait);
    gate.wait_for_arrivals(1);
    const HttpReply reply = release(server, only_session(server)["id"].as_string());
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.json(), contains_json(R"({"place":"held"})"));
    EXPECT_THAT(session->receive_json(), is_error("SESSION_ERROR"));
    EXPECT_EQ(try_session(server.port(), 1), nullptr);
    gate.open();
    const auto next = wait_for_session(server.port(), 1);
}

/// Runs on the io thread and blocks it, which it must not.
class LoopBlocker : public OnlyOne {
public:
    static constexpr Execution execution = Execution::inline_fast;
    static constexpr bool supports_concurrent_sessions = true;
    using OnlyOne::OnlyOne;
};

TEST(SessionsRoute, AnIoThreadThatIsStuckHoldsUpNoAnswerForEver) {
    LogCapture log;
    Gate gate;
    ServerConfig config = quick_config(4);
    config.threads = 2;
    RunningServer server(
        environment_entry<LoopBlocker>(
            "loop_blocker", [&] { return std::make_unique<LoopBlocker>(gate); }
        ),
        config
    );
    // Connections are dealt out in turn: the first one to the thread that goes on.
    Socket operators(server.port());
    std::string buffer;
    const auto ask = [&](const std::string& request) {
        operators.send(request + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        return read_http_reply(operators, buffer);
    };
    (void)ask("GET /health");
    const auto session = open_session(server.port());
    const Json before = ask("GET /sessions").json();
    EXPECT_EQ(before["complete"], true);
    const std::string id = before["sessions"][0]["id"].as_string();
    session->send_text(Probe::kWait);
    gate.wait_for_arrivals(1);
    const Json meanwhile = ask("GET /sessions").json();
    EXPECT_EQ(meanwhile["complete"], false);
    EXPECT_EQ(meanwhile["sessions"].size(), 0U);
    EXPECT_EQ(meanwhile["active"], 1);
    EXPECT_EQ(ask("GET /metrics").status, 200);
    EXPECT_EQ(ask("DELETE /sessions/" + id).status, 504);
    gate.open();
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; })) << "it was released";
}

TEST(SessionsRoute, WhatIsNoSessionIsUnknown) {
    LogCapture log;
    Probe probe;
    RunningServer server(probe_entry(probe));
    const auto session = open_session(server.port());
    const std::string id = only_session(server)["id"].as_string();
    const std::string of_another_run = "zzzz" + id.substr(4);
    for (const std::string& wrong :
         {std::string("x"),
          id + "0",
          id + "x",
          id.substr(0, id.size() - 1),
          of_another_run,
          id.substr(0, 4) + "-99999999999999999999-1",
          id.substr(0, 4) + "-7000-1",
          id.substr(0, 4) + "--1"}) {
        const HttpReply reply = release(server, wrong);
        EXPECT_EQ(reply.status, 404) << wrong;
        EXPECT_THAT(reply.body, testing::HasSubstr("Unknown session")) << wrong;
    }
    EXPECT_EQ(http(server.port(), "GET", "/sessions/" + id).status, 405);
    EXPECT_EQ(http(server.port(), "DELETE", "/sessions").status, 405);
    const HttpReply foreign =
        http(server.port(), "DELETE", "/sessions/" + id, {}, {{"origin", "http://192.0.2.1"}});
    EXPECT_EQ(foreign.status, 403);
    expect_alive(*session);
}

/// A connection that many sessions share, and its sessions 0 and 1.
class BatchConnection : public testing::Test {
protected:
    explicit BatchConnection(std::size_t places = 2) : server(probe_entry(probe), config(places)) {
        peer.emplace(server.port(), "/ws", Headers{{"OpenEnv-Accept", "batch, deadline"}});
        const Json opened = peer->ask(
            R"({"type":"reset","x":{"batch":[{"session":0,"data":{"episode_id":"zero"}},{"session":1}]}})"
        );
        EXPECT_EQ(opened["x"]["batch"].size(), 2U) << opened.dump();
    }
    static ServerConfig config(std::size_t places) {
        ServerConfig config = quick_config(places);
        config.queue_depth = 4;
        return config;
    }
    [[nodiscard]] std::string id_of_episode_zero() const {
        const Json page = sessions_of(server);
        for (const Json& session : page["sessions"].elements()) {
            if (session["episode_id"] == "zero") {
                return session["id"].as_string();
            }
        }
        throw std::runtime_error("not listed: " + page.dump());
    }

    void wait_until_one_waits() const {
        EXPECT_TRUE(eventually([&] { return sessions_of(server)["waiting"] == 1; }));
    }

    LogCapture log;
    Probe probe;
    RunningServer server;
    std::optional<RawWebSocket> peer;
};

TEST_F(BatchConnection, ListsEachOfItsSessions) {
    const Json page = sessions_of(server);
    ASSERT_EQ(page["sessions"].size(), 2U);
    for (const Json& session : page["sessions"].elements()) {
        EXPECT_EQ(session["kind"], "batch");
        EXPECT_THAT(session["features"].as_string(), testing::HasSubstr("batch"));
        EXPECT_EQ(session["calls"], 1);
    }
    const MetricsPage metrics = MetricsPage::of(server.port());
    EXPECT_EQ(metrics.value("openenv_messages_received_total", {{"transport", "batch"}}), 1);
    EXPECT_EQ(metrics.value("openenv_sessions", {{"state", "idle"}}), 2);
}

TEST_F(BatchConnection, OutlivesOneOfItsSessions) {
    const HttpReply reply = release(server, id_of_episode_zero());
    EXPECT_EQ(reply.status, 200);
    const auto next = open_session(server.port());
    const Json answer = peer->ask(
        R"({"type":"state","x":{"batch":[{"session":0},{"session":1}],"former":{"min":2}}})"
    );
    for (const Json& entry : answer["x"]["batch"].elements()) {
        const bool released = entry["session"] == 0;
        EXPECT_EQ(entry["type"], released ? "error" : "state") << entry.dump();
        if (released) {
            EXPECT_THAT(
                entry["data"]["message"].as_string(), testing::HasSubstr("released by an operator")
            );
        }
    }
}

TEST_F(BatchConnection, IsToldOfACallThatAnOperatorEnded) {
    peer->send_text(R"({"type":"step","x":{"batch":[{"session":0,"data":{"what":"wait"}}]}})");
    probe.gate.wait_for_arrivals(1);
    EXPECT_EQ(release(server, id_of_episode_zero()).status, 200);
    const Json answer = peer->receive_json();
    const Json& entry = answer["x"]["batch"][0];
    EXPECT_THAT(entry, contains_json(R"({"session":0,"type":"error"})"));
    EXPECT_EQ(entry["data"]["message"], "session released by an operator");
    EXPECT_EQ(
        peer->ask(R"({"type":"state","x":{"batch":[{"session":1}]}})")["x"]["batch"][0]["type"],
        "state"
    );
    probe.gate.open();
}

TEST_F(BatchConnection, ItsEntriesWaitForAPlaceToo) {
    peer->send_text(R"({"type":"reset","x":{"batch":[{"session":2}]}})");
    wait_until_one_waits();
    EXPECT_FALSE(peer->readable());
    EXPECT_EQ(release(server, id_of_episode_zero()).status, 200);
    const Json answer = peer->receive_json();
    EXPECT_THAT(answer["x"]["batch"][0], contains_json(R"({"session":2,"type":"observation"})"));
    EXPECT_EQ(server.active_sessions(), 2U);
}

TEST_F(BatchConnection, AnEntryThatWaitsCanRunOutOfTime) {
    const Json answer =
        peer->ask(R"({"type":"reset","x":{"batch":[{"session":2,"timeout_s":0.05}]}})");
    EXPECT_THAT(
        answer["x"]["batch"][0],
        contains_json(R"({"session":2,"type":"error","data":{"code":"EXECUTION_ERROR"}})")
    );
    EXPECT_EQ(answer["x"]["batch"][0]["timeout"], "queued");
    EXPECT_EQ(sessions_of(server)["waiting"], 0);
}

TEST_F(BatchConnection, AnEntryThatWaitsCanBeReleased) {
    peer->send_text(R"({"type":"reset","x":{"batch":[{"session":2}]}})");
    wait_until_one_waits();
    const Json page = sessions_of(server);
    for (const Json& session : page["sessions"].elements()) {
        if (session["state"] == "waiting") {
            EXPECT_EQ(release(server, session["id"].as_string()).status, 200);
        }
    }
    const Json answer = peer->receive_json();
    EXPECT_EQ(answer["x"]["batch"][0]["data"]["message"], "session released by an operator");
}

TEST_F(BatchConnection, AServerThatStopsDoesNotWaitForThoseInTheQueue) {
    peer->send_text(R"({"type":"reset","x":{"batch":[{"session":2}]}})");
    wait_until_one_waits();
    auto stopping = std::async(std::launch::async, [&] { return server.stop(); });
    EXPECT_EQ(peer->receive_close().code, 1001);
    EXPECT_EQ(stopping.get(), 0U);
    EXPECT_FALSE(log.has("the grace time is over"));
}

TEST(SessionsRoute, ExistsInProductionToo) {
    LogCapture log;
    Probe probe;
    ServerConfig config = quick_config();
    config.mode = ServerMode::production;
    RunningServer server(probe_entry(probe), config);
    EXPECT_EQ(sessions_of(server)["active"], 0);
    EXPECT_EQ(http_get(server.port(), "/metrics").status, 200);
}

}  // namespace
}  // namespace test
}  // namespace openenv
