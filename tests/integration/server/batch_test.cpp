// Many sessions over one connection.
#include "integration/support/eventually.hpp"
#include "integration/support/probe_environment.hpp"
#include "support/expect_json.hpp"
#include "support/fixtures/small.hpp"
#include "support/log_capture.hpp"
#include "support/open_at_end.hpp"
#include "support/raw_websocket.hpp"
#include "support/running_server.hpp"

#include <openenv/env/typed_environment.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
namespace test {
namespace {

using testing::HasSubstr;

class InlineProbe final : public ProbeEnvironment {
public:
    static constexpr Execution execution = Execution::inline_fast;
    using ProbeEnvironment::ProbeEnvironment;
};

EnvironmentEntry inline_probe_entry(Probe& probe) {
    return environment_entry<InlineProbe>("inline probe", [&probe] {
        return std::make_unique<InlineProbe>(probe);
    });
}

/// An entry of a batch with these members beside the session.
std::string entry(std::size_t session, std::string_view members = {}) {
    return R"({"session":)" + std::to_string(session) + (members.empty() ? "" : ",") +
           std::string(members) + "}";
}

std::string action(std::string_view what) {
    return R"("data":{"what":")" + std::string(what) + R"("})";
}

/// A message with these entries; `more` stands beside them in `x`.
std::string batch(
    std::string_view type, const std::vector<std::string>& entries, std::string_view more = {}
) {
    std::string text = R"({"type":")" + std::string(type) + R"(","x":{"batch":[)";
    for (const std::string& one : entries) {
        text += (&one == &entries.front() ? "" : ",") + one;
    }
    return text + "]" + (more.empty() ? "" : ",") + std::string(more) + "}}";
}

/// The same entry for the sessions from 0 on.
std::vector<std::string> all(std::size_t count, std::string_view members = {}) {
    std::vector<std::string> entries;
    for (std::size_t i = 0; i != count; ++i) {
        entries.push_back(entry(i, members));
    }
    return entries;
}

/// The entries of a frame with answers.
std::vector<Json> answers(const Json& frame) {
    EXPECT_EQ(frame["type"], "batch") << frame.dump();
    const Json* x = frame.find("x");
    if (x == nullptr) {
        return {};
    }
    const std::span<const Json> entries = (*x)["batch"].elements();
    return {entries.begin(), entries.end()};
}

/// The answers to so many entries, in the order of their sessions.
std::vector<Json> receive(RawWebSocket& peer, std::size_t count) {
    std::vector<Json> sorted(count);
    std::size_t received = 0;
    while (received < count) {
        for (const Json& answer : answers(peer.receive_json())) {
            sorted.at(static_cast<std::size_t>(answer["session"].as_int64())) = answer;
            ++received;
        }
    }
    return sorted;
}

RawWebSocket connect(
    const RunningServer& server, std::string_view features = "ids, deadline, batch"
) {
    const Headers headers{{"OpenEnv-Accept", std::string(features)}};
    return RawWebSocket(server.port(), "/ws", headers);
}

struct Policy {
    const char* name;
    EnvironmentEntry (*entry)(Probe&);
};

class Batch : public testing::TestWithParam<Policy> {
protected:
    Probe probe;
    RunningServer server{GetParam().entry(probe), quick_config(64)};
    const OpenAtEnd opening{probe.gate};
};

TEST_P(Batch, StepsManySessionsOverOneConnection) {
    constexpr std::size_t kSessions = 64;
    RawWebSocket peer = connect(server);
    EXPECT_EQ(server.active_sessions(), 0U);
    peer.send_text(batch("reset", all(kSessions)));
    for (const Json& answer : receive(peer, kSessions)) {
        EXPECT_EQ(answer["type"], "observation") << answer.dump();
    }
    EXPECT_EQ(server.active_sessions(), kSessions);
    for (int step = 1; step <= 3; ++step) {
        std::vector<std::string> entries;
        for (std::size_t i = 0; i != kSessions; ++i) {
            entries.push_back(entry(i, action("s" + std::to_string(i))));
        }
        peer.send_text(batch("step", entries));
        const std::vector<Json> observed = answers(peer.receive_json());
        ASSERT_EQ(observed.size(), kSessions);  // all in one frame
        for (const Json& answer : observed) {
            const std::string session = answer["session"].dump();
            EXPECT_EQ(answer["data"]["observation"]["text"], "s" + session);
        }
    }
    peer.send_text(batch("state", all(kSessions)));
    for (const Json& answer : receive(peer, kSessions)) {
        EXPECT_EQ(answer["data"]["step_count"], 3) << answer.dump();
    }
    peer.send_text(batch("close", all(kSessions)));
    for (const Json& answer : receive(peer, kSessions)) {
        EXPECT_EQ(answer["type"], "closed");
    }
    EXPECT_EQ(server.active_sessions(), 0U);
    EXPECT_EQ(probe.life.closes(), kSessions);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

TEST(SlowBatch, APongDoesNotWaitForEveryAnswerThatIsDue) {
    constexpr std::size_t kAnswers = 4;
    constexpr auto kBulk = R"("data":{"what":"bulk","size":20000000})";
    Probe probe;
    ServerConfig config = quick_config(kAnswers + 1);
    config.threads = 1;
    RunningServer server(probe_entry(probe), config);
    RawWebSocket peer = connect(server);
    RawWebSocket other(server.port());
    const auto pass_a_message = [&other] {  // then the thread has done what came before
        ASSERT_EQ(other.ask(Probe::kStep)["type"], "observation");
    };
    peer.send_text(batch("reset", all(kAnswers)));
    receive(peer, kAnswers);
    peer.send_text(batch("step", all(kAnswers, kBulk), R"("former":{"min":1,"max":1})"));
    peer.socket().wait_readable();
    ASSERT_TRUE(eventually([&] { return probe.life.steps() == kAnswers; }));
    pass_a_message();
    peer.send_frame(Opcode::ping, "here?");
    pass_a_message();
    std::vector<Opcode> order;
    for (std::size_t i = 0; i != kAnswers + 1; ++i) {
        order.push_back(peer.receive_frame().opcode);
    }
    EXPECT_EQ(std::count(order.begin(), order.end(), Opcode::pong), 1);
    EXPECT_EQ(order.back(), Opcode::text);
}

TEST_P(Batch, OneBadActionFailsAlone) {
    RawWebSocket peer = connect(server);
    peer.send_text(batch("reset", all(4)));
    receive(peer, 4);
    peer.send_text(batch(
        "step",
        {entry(0, action("fine")),
         entry(1, R"("data":{"what":5})"),
         entry(2, action("throw")),
         entry(3, action("fine"))}
    ));
    const std::vector<Json> observed = receive(peer, 4);
    EXPECT_EQ(observed[0]["type"], "observation");
    EXPECT_THAT(observed[1], is_validation_error({"string_type @ what"}));
    EXPECT_THAT(observed[2], is_error("EXECUTION_ERROR"));
    EXPECT_EQ(observed[3]["type"], "observation");
    peer.send_text(batch("step", all(4, action("again"))));
    for (const Json& answer : receive(peer, 4)) {
        EXPECT_EQ(answer["type"], "observation") << answer.dump();
    }
}

TEST_P(Batch, EntriesHaveIdsOfTheirOwn) {
    RawWebSocket peer = connect(server);
    peer.send_text(batch("reset", {entry(0, R"("id":"a")"), entry(1, R"("id":7)")}));
    const std::vector<Json> opened = receive(peer, 2);
    EXPECT_EQ(opened[0]["id"], "a");
    EXPECT_EQ(opened[1]["id"], 7);
    peer.send_text(
        batch("step", {entry(0, R"("id":1,)" + action("throw")), entry(9, R"("id":2,"data":{})")})
    );
    for (const Json& answer : answers(peer.receive_json())) {
        EXPECT_EQ(answer["id"], answer["session"] == 0 ? 1 : 2);
        EXPECT_EQ(answer["type"], "error");
    }
}

TEST_P(Batch, ASessionThatIsNotOpenIsTold) {
    RawWebSocket peer = connect(server);
    peer.send_text(batch("step", {entry(3, action("a"))}));
    const std::vector<Json> refused = answers(peer.receive_json());
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_THAT(refused[0], is_error("SESSION_ERROR"));
    EXPECT_THAT(refused[0].dump(), HasSubstr("session 3 is not open; reset opens it"));
    peer.send_text(batch("close", {entry(3)}));
    EXPECT_THAT(answers(peer.receive_json()).at(0), is_error("SESSION_ERROR"));
    EXPECT_EQ(server.active_sessions(), 0U);
}

TEST_P(Batch, AMessageThatIsWrongDoesNothing) {
    RawWebSocket peer = connect(server);
    peer.send_text(batch("reset", all(2)));
    receive(peer, 2);
    const std::size_t steps = probe.life.steps();
    EXPECT_THAT(
        peer.ask(
            batch("step", {entry(0, action("a")), entry(1, action("b")), entry(0, action("c"))})
        ),
        is_validation_error({"value_error @ x,batch,2"})
    );
    EXPECT_THAT(
        peer.ask(batch("step", all(20'000, action("a")), R"("id":5)")),
        contains_json(R"({"type":"error","x":{"id":5}})")
    );
    EXPECT_EQ(probe.life.steps(), steps);
    peer.send_text(batch("step", all(2, action("a"))));
    EXPECT_EQ(receive(peer, 2)[1]["type"], "observation");
}

TEST_P(Batch, EntriesBeyondTheCapacityFailAlone) {
    LogCapture log;
    RunningServer small(GetParam().entry(probe), quick_config(3));
    RawWebSocket peer = connect(small);
    peer.send_text(batch("reset", all(5)));
    std::size_t opened = 0;
    for (const Json& answer : receive(peer, 5)) {
        if (answer["type"] == "observation") {
            ++opened;
            continue;
        }
        EXPECT_THAT(answer, is_error("CAPACITY_REACHED"));
        EXPECT_THAT(answer["data"], contains_json(R"({"active_sessions":3,"max_sessions":3})"));
    }
    EXPECT_EQ(opened, 3U);
    EXPECT_EQ(small.active_sessions(), 3U);
    // A place that is given back can be taken by another number.
    peer.send_text(batch("close", {entry(0)}));
    EXPECT_EQ(answers(peer.receive_json()).at(0)["type"], "closed");
    peer.send_text(batch("reset", {entry(4)}));
    EXPECT_EQ(answers(peer.receive_json()).at(0)["type"], "observation");
}

TEST_P(Batch, TheConnectionsOwnSessionComesWithItsFirstMessage) {
    RawWebSocket peer = connect(server);
    peer.send_text(batch("reset", all(2)));
    receive(peer, 2);
    EXPECT_EQ(server.active_sessions(), 2U);
    EXPECT_THAT(
        peer.ask(R"({"type":"reset","x":{"id":1}})"),
        contains_json(R"({"type":"observation","x":{"id":1}})")
    );
    EXPECT_EQ(peer.ask(Probe::kStep)["type"], "observation");
    EXPECT_EQ(server.active_sessions(), 3U);
    peer.send_text(R"({"type":"close"})");
    EXPECT_EQ(peer.receive_close().code, 1000);
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
}

TEST_P(Batch, APeerThatVanishesGivesEveryPlaceBack) {
    {
        RawWebSocket peer = connect(server);
        peer.send_text(batch("reset", all(32)));
        receive(peer, 32);
        peer.send_text(batch("step", all(32, action("a"))));
        peer.socket().abort();
    }
    EXPECT_TRUE(eventually([&] { return server.active_sessions() == 0; }));
    probe.life.wait_for_live(0);
    EXPECT_EQ(probe.life.closes(), 32U);
    EXPECT_EQ(probe.life.wrong_closes(), 0U);
}

TEST_P(Batch, AServerThatStopsClosesEverySession) {
    ServerConfig config = quick_config(8);
    config.close_timeout = std::chrono::milliseconds(50);  // the peer reads it later
    RunningServer ending(GetParam().entry(probe), config);
    RawWebSocket peer = connect(ending);
    peer.send_text(batch("reset", all(8)));
    receive(peer, 8);
    EXPECT_EQ(ending.stop(), 0U);
    EXPECT_EQ(peer.receive_close().code, 1001);
    EXPECT_EQ(probe.life.closes(), 8U);
}

INSTANTIATE_TEST_SUITE_P(
    Server,
    Batch,
    testing::Values(
        Policy{"pooled", [](Probe& probe) { return probe_entry(probe); }},
        Policy{"pinned", pinned_probe_entry},
        Policy{"inline", inline_probe_entry}
    ),
    [](const testing::TestParamInfo<Policy>& chosen) { return std::string(chosen.param.name); }
);

class BatchFormer : public testing::Test {
protected:
    /// Resets sessions, and makes the step of session 0 wait at the gate.
    void begin_with_a_straggler(std::size_t sessions, std::string_view former) {
        peer.send_text(batch("reset", all(sessions)));
        receive(peer, sessions);
        peer.send_text(batch("step", {entry(0, action("wait"))}, former));
        probe.gate.wait_for_arrivals(1);
    }
    /// Steps all sessions but the straggler.
    void step_the_others(std::size_t sessions) {
        std::vector<std::string> entries = all(sessions, action("a"));
        entries.erase(entries.begin());
        peer.send_text(batch("step", entries));
    }

    Probe probe;
    RunningServer server{probe_entry(probe), quick_config(64)};
    RawWebSocket peer = connect(server);
    const OpenAtEnd opening{probe.gate};
};

TEST_F(BatchFormer, WaitsForAllUnlessToldOtherwise) {
    begin_with_a_straggler(4, {});
    step_the_others(4);
    peer.expect_silence();
    probe.gate.open();
    EXPECT_EQ(answers(peer.receive_json()).size(), 4U);
}

TEST_F(BatchFormer, SendsAsSoonAsEnoughAreReady) {
    begin_with_a_straggler(9, R"("former":{"min":4,"max":4})");
    step_the_others(9);
    EXPECT_EQ(answers(peer.receive_json()).size(), 4U);
    EXPECT_EQ(answers(peer.receive_json()).size(), 4U);
    probe.gate.open();
    EXPECT_EQ(answers(peer.receive_json()).size(), 1U);
}

TEST_F(BatchFormer, SendsWhatIsThereWhenTheTimeIsUp) {
    begin_with_a_straggler(4, R"("former":{"min":4,"within_s":0.02})");
    step_the_others(4);
    std::size_t received = 0;
    while (received < 3) {
        received += answers(peer.receive_json()).size();
    }
    EXPECT_EQ(received, 3U);
    probe.gate.open();
    EXPECT_EQ(answers(peer.receive_json()).size(), 1U);
}

TEST_F(BatchFormer, ABusySessionTakesNoOtherCall) {
    begin_with_a_straggler(2, R"("former":{"min":1})");
    peer.send_text(batch("state", {entry(0), entry(1)}));
    std::vector<Json> observed(2);
    for (std::size_t received = 0; received < 2;) {
        for (const Json& answer : answers(peer.receive_json())) {
            observed.at(static_cast<std::size_t>(answer["session"].as_int64())) = answer;
            ++received;
        }
    }
    EXPECT_THAT(observed[0], is_error("SESSION_ERROR"));
    EXPECT_THAT(observed[0].dump(), HasSubstr("still busy"));
    EXPECT_EQ(observed[1]["type"], "state");
    probe.gate.open();
    EXPECT_EQ(answers(peer.receive_json()).at(0)["type"], "observation");
}

TEST_F(BatchFormer, ADeadlineOfOneEntryIsItsOwn) {
    LogCapture log;
    peer.send_text(batch("reset", all(2)));
    receive(peer, 2);
    peer.send_text(
        batch("step", {entry(0, R"("timeout_s":0.05,)" + action("wait")), entry(1, action("a"))})
    );
    const std::vector<Json> observed = receive(peer, 2);
    EXPECT_THAT(observed[0], is_error("EXECUTION_ERROR"));
    EXPECT_EQ(observed[0]["timeout"], "running");
    EXPECT_EQ(observed[1]["type"], "observation");
    peer.send_text(batch("reset", {entry(0)}));
    EXPECT_EQ(answers(peer.receive_json()).at(0)["type"], "observation");
}

TEST(BatchSessions, ThatCannotBeBuiltAreToldAndHoldNoPlace) {
    LogCapture log;
    log.expect_error("BadEnv cannot be built");
    ServerConfig config = quick_config(1);
    RunningServer server(fixture::bad_entry(), config);
    RawWebSocket peer = connect(server);
    for (int attempt = 0; attempt < 3; ++attempt) {
        peer.send_text(batch("reset", {entry(0)}));
        const Json refused = answers(peer.receive_json()).at(0);
        EXPECT_THAT(refused, is_error("FACTORY_ERROR"));
        EXPECT_EQ(refused["data"]["factory_name"], "BadEnv");
        EXPECT_EQ(server.active_sessions(), 0U);
    }
}

}  // namespace
}  // namespace test
}  // namespace openenv
