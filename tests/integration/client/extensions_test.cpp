// Extensions of the protocol that a client asks for: ids and deadline.
#include "integration/client/echo_script.hpp"
#include "integration/client/notes.hpp"
#include "integration/client/outcome.hpp"
#include "support/expect_json.hpp"
#include "support/gate.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using boost::asio::use_future;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kLimit = 200ms;

/// A frame with something in its `x`.
std::string with_x(std::string frame, const std::string& members) {
    frame.pop_back();
    return frame + R"(,"x":{)" + members + "}}";
}

std::string with_id(const std::string& frame, const Json& id) {
    return with_x(frame, R"("id":)" + id.dump());
}

/// As echo(), for a server that has granted ids.
void echo_ids(ScriptedPeer& peer, Gate& gate) {
    for (;;) {
        const Json question = Json::parse(peer.read());
        if (question["type"] == "close") {
            peer.wait_for_close();
            return;
        }
        const Json id = question["x"]["id"];
        if (question["type"] == "state") {
            peer.send(with_id(state_frame(), id));
            continue;
        }
        if (question["data"].contains("wait")) {
            gate.pass();
        }
        peer.send(with_id(observation_frame(question["data"].dump()), id));
    }
}

ScriptedServer::Granting echoing_ids(Gate& gate) {
    return {"ids", [&gate](ScriptedPeer& peer) { echo_ids(peer, gate); }};
}

TEST(ClientExtensions, AreAskedForInEveryUpgrade) {
    Notes notes;
    ScriptedServer server([&](ScriptedPeer& peer) {
        notes.add(peer.header("OpenEnv-Accept"));
        echo(peer);
    });
    GenericEnvClient usual(server.url(), quick());
    usual.sync().connect();
    usual.sync().disconnect();
    usual.sync().connect();
    const auto child = usual.sync().new_session();
    ClientOptions options = quick();
    options.extensions = {};
    GenericEnvClient without(server.url(), options);
    without.sync().reset();
    options.extensions.deadline = true;
    GenericEnvClient one(server.url(), options);
    one.sync().reset();
    EXPECT_THAT(
        notes.all(), ElementsAre("ids, deadline", "ids, deadline", "ids, deadline", "", "deadline")
    );
}

TEST(ClientExtensions, AreNotAskedForInAHeaderOfOnesOwn) {
    ClientOptions options;
    options.headers.emplace_back("openenv-accept", "ids");
    EXPECT_THROW(GenericEnvClient("localhost", options), ConfigError);
}

TEST(ClientExtensions, WithoutAGrantMessagesAreAsEver) {
    for (const char* granted : {"", "idss, deadlines", "batch", ", ;ids deadline", "none"}) {
        SCOPED_TRACE(granted);
        Notes notes;
        Gate gate;
        ScriptedServer server(ScriptedServer::Granting{
            granted, [&](ScriptedPeer& peer) {
                if (peer.number() != 0) {
                    echo(peer);
                    return;
                }
                for (int i = 0; i != 3; ++i) {
                    const std::string question = peer.read();
                    notes.add(question);
                    peer.send(
                        question.find("state") == std::string::npos ? observation_frame("{}")
                                                                    : state_frame()
                    );
                }
                notes.add(peer.read());
                gate.pass();
            }});
        GenericEnvClient client(server.url(), quick());
        auto& env = client.sync();
        env.reset();
        env.step(numbered(1), 20s);
        env.state();
        EXPECT_THROW(env.step(numbered(2), kLimit), Timeout);
        gate.open();
        EXPECT_THROW(env.step(numbered(3)), SessionLost);
        env.reset();
        EXPECT_THAT(
            notes.all(),
            ElementsAre(
                R"({"type":"reset","data":{}})",
                R"({"type":"step","data":{"k":1}})",
                R"({"type":"state"})",
                R"({"type":"step","data":{"k":2}})"
            )
        );
    }
}

TEST(ClientIds, EveryMessageHasOneMore) {
    Notes notes;
    ScriptedServer server(ScriptedServer::Granting{
        "deadline,  IDS", [&](ScriptedPeer& peer) {
            for (;;) {
                const Json question = Json::parse(peer.read());
                notes.add(question["x"].dump());
                const bool state = question["type"] == "state";
                peer.send(with_id(state ? state_frame() : observation_frame(), question["x"]["id"])
                );
            }
        }});
    GenericEnvClient client(server.url(), quick());
    client.sync().reset();
    client.sync().step(numbered(1));
    client.sync().state();
    EXPECT_THAT(notes.all(), ElementsAre(R"({"id":1})", R"({"id":2})", R"({"id":3})"));
}

TEST(ClientIds, ALateAnswerIsDroppedAndTheSessionGoesOn) {
    Gate gate;
    ScriptedServer server(echoing_ids(gate));
    GenericEnvClient client(server.url(), quick());
    auto& env = client.sync();
    env.reset();
    EXPECT_EQ(thrown_by<Timeout>([&] { return env.step(waiting(1), kLimit); }).phase, "stepping");
    EXPECT_EQ(thrown_by<Timeout>([&] { return env.state(kLimit); }).phase, "reading the state")
        << "it waits behind the step";
    gate.open();
    EXPECT_EQ(env.step(numbered(2)).observation["k"], 2);
    EXPECT_EQ(env.state()["step_count"], 0);
    EXPECT_EQ(env.reset(numbered(3)).observation["k"], 3) << "nothing is owed any more";
    EXPECT_EQ(server.connections(), 1U);
}

TEST(ClientIds, ACancelledCallCostsNoSession) {
    Gate gate;
    ScriptedServer server(echoing_ids(gate));
    GenericEnvClient client(server.url(), quick());
    client.reset().async(use_future).get();
    auto stuck = client.step(waiting(1));
    const Canceller cancel = stuck.canceller();
    auto ended = stuck.async(use_future);
    gate.wait_for_arrivals(1);
    auto next = client.step(numbered(2)).async(use_future);
    cancel();
    EXPECT_EQ(failure<Exception>(ended).code, Errc::cancelled);
    EXPECT_FALSE(has_ended(next)) << "the server still works on the first";
    gate.open();
    EXPECT_EQ(outcome(next).observation["k"], 2);
    EXPECT_EQ(server.connections(), 1U);
}

TEST(ClientIds, AResetWaitsForNoCallThatWasGivenUp) {
    Gate gate;
    ScriptedServer server(echoing_ids(gate));
    ClientOptions options = quick();
    options.close_timeout = 100ms;
    GenericEnvClient client(server.url(), options);
    auto& env = client.sync();
    env.reset();
    EXPECT_THROW(env.step(waiting(1), kLimit), Timeout);
    EXPECT_EQ(env.reset(numbered(2)).observation["k"], 2);
    EXPECT_EQ(env.step(numbered(3)).observation["k"], 3);
    EXPECT_EQ(server.connections(), 2U);
    gate.open();
}

TEST(ClientIds, WhoAlwaysReconnectsDoesSoAfterACallThatWasGivenUp) {
    Gate gate;
    ScriptedServer server(echoing_ids(gate));
    ClientOptions options = quick(Reconnect::always);
    options.close_timeout = 100ms;
    GenericEnvClient client(server.url(), options);
    auto& env = client.sync();
    env.reset();
    EXPECT_THROW(env.step(waiting(1), kLimit), Timeout);
    EXPECT_EQ(env.step(numbered(2)).observation["k"], 2);
    EXPECT_EQ(server.connections(), 2U);
    gate.open();
}

TEST(ClientIds, LateAnswersOfAnySizeAreDroppedAsTheyCome) {
    Gate gate;
    std::promise<void> sent;
    ScriptedServer server(ScriptedServer::Granting{
        "ids", [&](ScriptedPeer& peer) {
            std::vector<Json> questions;
            for (int i = 0; i != 3; ++i) {
                questions.push_back(Json::parse(peer.read()));
            }
            gate.pass();
            for (const Json& question : questions) {
                peer.send(with_id(
                    observation_frame("\"" + std::string(100'000, 'x') + "\""), question["x"]["id"]
                ));
            }
            sent.set_value();
            echo_ids(peer, gate);
        }});
    GenericEnvClient client(server.url(), quick());
    auto& env = client.sync();
    env.connect();
    for (int i = 0; i != 3; ++i) {
        EXPECT_THROW(env.step(numbered(i), 50ms), Timeout);
    }
    gate.open();
    std::future<void> all_sent = sent.get_future();
    outcome(all_sent);
    EXPECT_EQ(env.step(numbered(5)).observation["k"], 5);
    EXPECT_EQ(server.connections(), 1U);
}

TEST(ClientIds, AServerThatOwesManyAnswersIsGivenUp) {
    Gate gate;
    ScriptedServer server(echoing_ids(gate));
    ClientOptions options = quick(1ms);
    options.close_timeout = 100ms;
    GenericEnvClient client(server.url(), options);
    client.sync().connect(20s);
    client.sync().reset(Json::object(), 20s);
    int timed_out = 0;
    try {
        for (;;) {
            try {
                client.sync().step(waiting(1));
            } catch (const Timeout&) {
                ++timed_out;
            }
        }
    } catch (const SessionLost& error) {
        EXPECT_THAT(error.what(), HasSubstr("given up"));
    }
    EXPECT_GE(timed_out, 32);
    gate.open();
    EXPECT_EQ(client.sync().reset(numbered(2), 20s).observation["k"], 2);
}

TEST(ClientIds, AnAnswerWithAnotherIdEndsTheConnection) {
    const std::string answers[] = {
        observation_frame(),
        with_id(observation_frame(), 7),
        with_id(observation_frame(), "2"),
        with_id(observation_frame(), 2.0),
        with_id(observation_frame(), -2),
        with_id(observation_frame(), nullptr),
        with_id(error_frame("EXECUTION_ERROR", "not ours"), 1),
        error_frame("EXECUTION_ERROR", "nobody's"),
        R"({"type":"observation","data":{"observation":{}},"x":2})",
    };
    for (const std::string& answer : answers) {
        SCOPED_TRACE(answer);
        ScriptedServer server(ScriptedServer::Granting{
            "ids", [&](ScriptedPeer& peer) {
                Gate open;
                open.open();
                if (peer.number() == 0) {
                    const Json question = Json::parse(peer.read());
                    peer.send(with_id(observation_frame(), question["x"]["id"]));
                    (void)peer.answer(answer);
                    peer.wait_for_close();
                    return;
                }
                echo_ids(peer, open);
            }});
        GenericEnvClient client(server.url(), quick());
        client.sync().reset();
        const Error error = thrown_by<SessionLost>([&] { return client.sync().step(numbered(1)); });
        EXPECT_THAT(error.message, HasSubstr("nobody had asked for"));
        EXPECT_THROW(client.sync().state(), SessionLost);
        EXPECT_EQ(client.sync().reset(numbered(2)).observation["k"], 2);
        EXPECT_EQ(server.connections(), 2U);
    }
}

TEST(ClientIds, TheSameIdTwiceEndsTheConnection) {
    ScriptedServer server(ScriptedServer::Granting{
        "ids", [&](ScriptedPeer& peer) {
            for (;;) {
                const Json question = Json::parse(peer.read());
                peer.send(with_id(observation_frame(), question["x"]["id"]));
                peer.send(with_id(observation_frame(), question["x"]["id"]));
            }
        }});
    GenericEnvClient client(server.url(), quick());
    client.sync().reset();
    EXPECT_THROW(client.sync().step(numbered(1)), SessionLost);
}

TEST(ClientIds, LastWordsAndWhatCouldNotBeReadNeedNone) {
    Notes notes;
    ScriptedServer server(ScriptedServer::Granting{
        "ids", [&](ScriptedPeer& peer) {
            (void)peer.answer(error_frame("INVALID_JSON", "too deep"));
            const Json question = Json::parse(peer.read());
            peer.send(with_id(observation_frame(), question["x"]["id"]));
            (void)peer.answer(error_frame("SESSION_ERROR", "session closed: idle 5 s"));
            peer.close(1000);
        }});
    GenericEnvClient client(server.url(), quick());
    const Error error = thrown_by<Exception>([&] { return client.sync().reset(); });
    EXPECT_EQ(error.code, Errc::invalid_json);
    client.sync().step(numbered(1));
    EXPECT_THAT(
        thrown_by<SessionLost>([&] { return client.sync().step(numbered(2)); }).message,
        HasSubstr("idle 5 s")
    );
    EXPECT_EQ(server.connections(), 1U);
}

/// Answers everything with its `x`, or with `frame` where that is given.
ScriptedServer::Granting showing_x(Notes& notes, std::string frame = observation_frame()) {
    return {"deadline", [&notes, frame](ScriptedPeer& peer) {
                for (;;) {
                    const Json question = Json::parse(peer.read());
                    notes.add(question.contains("x") ? question["x"].dump() : "none");
                    peer.send(frame);
                }
            }};
}

TEST(ClientDeadline, TheLimitOfACallGoesWithIt) {
    Notes notes;
    ScriptedServer server(showing_x(notes));
    GenericEnvClient client(server.url(), quick());
    client.sync().reset(Json::object(), 10s);
    client.sync().step(numbered(1));
    client.sync().step(numbered(1), std::chrono::milliseconds::max());
    ASSERT_EQ(notes.all().size(), 3U);
    const double seconds = Json::parse(notes.all()[0])["timeout_s"].as_double();
    EXPECT_GT(seconds, 0.0);
    EXPECT_LE(seconds, 10.0);
    EXPECT_EQ(notes.all()[1], "none") << "the client's own limit is its own affair";
    EXPECT_EQ(notes.all()[2], "none");
}

TEST(ClientDeadline, WhatRanOutOfTimeOnTheServerIsATimeout) {
    for (const char* phase : {"queued", "creating", "running"}) {
        Notes notes;
        ScriptedServer server(showing_x(
            notes,
            with_x(
                error_frame("EXECUTION_ERROR", "step ran out of time"),
                R"("timeout":")" + std::string(phase) + "\""
            )
        ));
        GenericEnvClient client(server.url(), quick());
        for (int twice = 0; twice != 2; ++twice) {
            const Error error =
                thrown_by<Timeout>([&] { return client.sync().step(numbered(1), 10s); });
            EXPECT_EQ(error.phase, phase);
            EXPECT_EQ(error.server_code, "EXECUTION_ERROR");
            EXPECT_THAT(error.message, HasSubstr("step ran out of time"));
        }
        EXPECT_EQ(server.connections(), 1U);
    }
}

TEST(ClientDeadline, WhoAlwaysReconnectsDoesSoWhenTheServerRanOutOfTime) {
    Notes notes;
    ScriptedServer server(
        showing_x(notes, with_x(error_frame("EXECUTION_ERROR", "late"), R"("timeout":"running")"))
    );
    GenericEnvClient client(server.url(), quick(Reconnect::always));
    for (int twice = 0; twice != 2; ++twice) {
        EXPECT_THROW(client.sync().step(numbered(1)), Timeout);
    }
    EXPECT_EQ(server.connections(), 2U);
}

TEST(ClientDeadline, ExtraArgumentsGoWithAStep) {
    Notes notes;
    ScriptedServer server(showing_x(notes));
    GenericEnvClient client(server.url(), quick());
    CallOptions options;
    options.extra = Json::object({{"why", Json::array({1, nullptr})}});
    client.sync().step(numbered(1), options);
    EXPECT_THAT(notes.all(), ElementsAre(R"({"extra":{"why":[1,null]}})"));
    const Error misplaced =
        thrown_by<Exception>([&] { return client.sync().reset(Json::object(), options); });
    EXPECT_EQ(misplaced.code, Errc::usage);
    options.extra = "why";
    const Error no_object =
        thrown_by<Exception>([&] { return client.sync().step(numbered(1), options); });
    EXPECT_EQ(no_object.code, Errc::usage);
    EXPECT_EQ(notes.all().size(), 1U);
}

TEST(ClientDeadline, WithoutAGrantExtraArgumentsAreRefused) {
    std::atomic<int> asked{0};
    ScriptedServer server([&](ScriptedPeer& peer) {
        for (;;) {
            (void)peer.read();
            ++asked;
            peer.send(observation_frame());
        }
    });
    GenericEnvClient client(server.url(), quick());
    CallOptions options;
    options.extra = Json::object();
    const Error error =
        thrown_by<Exception>([&] { return client.sync().step(numbered(1), options); });
    EXPECT_EQ(error.code, Errc::usage);
    EXPECT_THAT(error.message, HasSubstr("does not know"));
    client.sync().step(numbered(1));
    EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace test
}  // namespace openenv
