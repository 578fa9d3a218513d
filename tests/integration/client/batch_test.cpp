// Many sessions over one connection, as it goes over the wire.
#include "integration/client/echo_script.hpp"
#include "integration/client/notes.hpp"
#include "integration/client/outcome.hpp"
#include "integration/client/walk_environment.hpp"
#include "support/gate.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/vector_env.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::string batch_frame(const std::string& entries) {
    return R"({"type":"batch","x":{"batch":[)" + entries + "]}}";
}

/// An answer to an entry: what it was asked with, and its id if it has one.
std::string echoed(const Json& entry) {
    const std::string id = entry.contains("id") ? R"(,"id":)" + entry["id"].dump() : "";
    const Json* data = entry.find("data");
    const std::string seen = data != nullptr ? data->dump() : "{}";
    return R"({"session":)" + entry["session"].dump() + id +
           R"(,"type":"observation","data":{"observation":)" + seen + R"(,"reward":1.0,"done":)" +
           (data && data->contains("end") ? "true" : "false") + "}}";
}

/// Answers each message with one frame.
void echo_batches(ScriptedPeer& peer, Notes& notes) {
    for (;;) {
        const std::string question = peer.read();
        notes.add(question);
        std::string answers;
        const Json entries = Json::parse(question)["x"]["batch"];
        for (const Json& entry : entries.elements()) {
            answers += (answers.empty() ? "" : ",") + echoed(entry);
        }
        peer.send(batch_frame(answers));
    }
}

ScriptedServer::Granting echoing(Notes& notes, std::string features = "ids, deadline, batch") {
    return {std::move(features), [&notes](ScriptedPeer& peer) { echo_batches(peer, notes); }};
}

VectorOptions two() {
    return VectorOptions(2, quick());
}

TEST(Batch, OneMessageAsksAll) {
    Notes notes;
    ScriptedServer server(echoing(notes));
    GenericVectorEnv vector(server.url(), two());
    auto& envs = vector.sync();
    envs.reset(7);
    const std::vector<Json> actions{numbered(1), numbered(2)};
    const auto batch = envs.step(actions);
    EXPECT_EQ(batch[0].observation, numbered(1));
    EXPECT_EQ(batch[1].observation, numbered(2));
    EXPECT_EQ(batch[1].reward, Reward(1.0));
    EXPECT_THAT(
        notes.all(),
        ElementsAre(
            R"({"type":"reset","x":{"batch":[{"session":0,"data":{"seed":7}},)"
            R"({"session":1,"data":{"seed":8}}],"former":{"within_s":0.02}}})",
            R"({"type":"step","x":{"batch":[{"session":0,"data":{"k":1}},)"
            R"({"session":1,"data":{"k":2}}]}})"
        )
    );
    EXPECT_EQ(server.connections(), 1U);
}

TEST(Batch, OnlyThoseWhoseEpisodeIsOverAreReset) {
    Notes notes;
    ScriptedServer server(echoing(notes));
    GenericVectorEnv vector(server.url(), two());
    auto& envs = vector.sync();
    envs.reset();
    const std::vector<Json> actions{numbered(1), Json::object({{"end", true}})};
    const auto batch = envs.step(actions);
    EXPECT_FALSE(batch[0].done());
    EXPECT_TRUE(batch[1].terminated);
    EXPECT_EQ(*batch[1].final_observation, actions[1]);
    EXPECT_EQ(batch[1].observation, Json::object());
    ASSERT_EQ(notes.all().size(), 3U);
    EXPECT_EQ(notes.all()[2], R"({"type":"reset","x":{"batch":[{"session":1,"data":{}}]}})");
}

TEST(Batch, LimitsAndExtraArgumentsGoWithEachEntry) {
    Notes notes;
    ScriptedServer server(echoing(notes));
    GenericVectorEnv vector(server.url(), two());
    CallOptions options(10s);
    options.extra = Json::object({{"why", 1}});
    const std::vector<Json> actions{numbered(1), numbered(2)};
    vector.sync().step(actions, options);
    const Json entries = Json::parse(notes.all().at(0))["x"]["batch"];
    for (const Json& entry : entries.elements()) {
        EXPECT_EQ(entry["extra"], options.extra);
        EXPECT_LE(entry["timeout_s"].as_double(), 10.0);
        EXPECT_GT(entry["timeout_s"].as_double(), 0.0);
    }
    Notes others;
    ScriptedServer without(echoing(others, "batch"));
    GenericVectorEnv refused(without.url(), two());
    EXPECT_EQ(
        thrown_by<Exception>([&] { return refused.sync().step(actions, options); }).code,
        Errc::usage
    );
    EXPECT_TRUE(others.all().empty());
}

TEST(Batch, ALateAnswerIsDroppedByItsId) {
    Notes notes;
    Gate gate;
    ScriptedServer server(ScriptedServer::Granting{"ids, batch", [&](ScriptedPeer& peer) {
                                                       const Json first =
                                                           Json::parse(peer.read())["x"]["batch"];
                                                       peer.send(batch_frame(echoed(first[1])));
                                                       gate.pass();
                                                       peer.send(batch_frame(echoed(first[0])));
                                                       echo_batches(peer, notes);
                                                   }});
    GenericVectorEnv vector(server.url(), two());
    auto& envs = vector.sync();
    std::vector<Json> actions{numbered(1), numbered(2)};
    envs.connect();
    const auto batch = envs.step(actions, 200ms);
    EXPECT_EQ(batch[0].error->code, Errc::timeout);
    EXPECT_EQ(batch[0].error->phase, "stepping");
    EXPECT_EQ(batch[1].observation, numbered(2));
    gate.open();
    actions = {numbered(3), numbered(4)};
    const auto next = envs.step(actions);
    EXPECT_EQ(next[0].observation, numbered(3));
    EXPECT_EQ(next[1].observation, numbered(4));
    EXPECT_THAT(
        notes.all(),
        ElementsAre(R"({"type":"step","x":{"batch":[{"session":0,"data":{"k":3},"id":1},)"
                    R"({"session":1,"data":{"k":4}}]}})")
    );
    EXPECT_EQ(server.connections(), 1U);
}

TEST(Batch, WithoutIdsALateAnswerCostsTheConnection) {
    Notes notes;
    Gate gate;
    ScriptedServer server(ScriptedServer::Granting{"batch", [&](ScriptedPeer& peer) {
                                                       if (peer.number() == 0) {
                                                           (void)peer.read();
                                                           gate.pass();
                                                           return;
                                                       }
                                                       echo_batches(peer, notes);
                                                   }});
    VectorOptions options = two();
    options.client.close_timeout = 100ms;
    GenericVectorEnv vector(server.url(), options);
    auto& envs = vector.sync();
    const std::vector<Json> actions{numbered(1), numbered(2)};
    envs.connect();
    const auto batch = envs.step(actions, 200ms);
    EXPECT_EQ(batch.failed(), 2U);
    EXPECT_EQ(batch[0].error->code, Errc::timeout);
    EXPECT_EQ(envs.step(actions)[0].error->code, Errc::session);
    EXPECT_EQ(envs.reset().failed(), 0U);
    gate.open();
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Batch, EntriesFailAlone) {
    ScriptedServer server(ScriptedServer::Granting{
        "ids, deadline, batch", [&](ScriptedPeer& peer) {
            const Json asked = Json::parse(peer.read())["x"]["batch"];
            peer.send(batch_frame(
                R"({"session":2,"type":"error","timeout":"running","data":{"message":"late",)"
                R"("code":"EXECUTION_ERROR"}})"
            ));
            peer.send(batch_frame(
                R"({"session":1,"type":"error","data":{"message":"closed","code":"SESSION_ERROR"}},)" +
                echoed(asked[0])
            ));
            Notes notes;
            echo_batches(peer, notes);
        }});
    GenericVectorEnv vector(server.url(), VectorOptions(3, quick()));
    const std::vector<Json> actions(3, numbered(1));
    const auto batch = vector.sync().step(actions);
    EXPECT_EQ(batch[0].observation, numbered(1));
    EXPECT_EQ(batch[1].error->code, Errc::session);
    EXPECT_EQ(batch[1].error->server_code, "SESSION_ERROR");
    EXPECT_EQ(batch[2].error->code, Errc::timeout);
    EXPECT_EQ(batch[2].error->phase, "running");
    EXPECT_EQ(vector.sync().step(actions).failed(), 0U) << "the connection goes on";
    EXPECT_EQ(server.connections(), 1U);
}

TEST(Batch, WhatNobodyAskedEndsTheConnection) {
    const std::string good = R"("type":"observation","data":{"observation":{}}})";
    const std::string answers[] = {
        batch_frame(R"({"session":2,)" + good),
        batch_frame(R"({"session":0,)" + good + R"(,{"session":0,)" + good),
        batch_frame(R"({"session":0,"id":4,)" + good),
        batch_frame(R"({"session":0,"type":"state","data":{}})"),
        batch_frame(R"({"session":-1,)" + good),
        batch_frame(R"({)" + good),
        batch_frame("7"),
        R"({"type":"batch","x":{"batch":{}}})",
        observation_frame(),
        "no JSON",
        error_frame("SESSION_ERROR", "idle"),
    };
    for (const std::string& answer : answers) {
        SCOPED_TRACE(answer);
        Notes notes;
        ScriptedServer server(ScriptedServer::Granting{
            "ids, deadline, batch", [&](ScriptedPeer& peer) {
                if (peer.number() == 0) {
                    (void)peer.answer(answer);
                    peer.wait_for_close();
                    return;
                }
                echo_batches(peer, notes);
            }});
        GenericVectorEnv vector(server.url(), two());
        auto& envs = vector.sync();
        const auto batch = envs.reset();
        EXPECT_TRUE(batch[1].error);
        const std::vector<Json> actions{numbered(1), numbered(2)};
        EXPECT_EQ(envs.step(actions)[0].error->code, Errc::session);
        EXPECT_EQ(envs.reset().failed(), 0U);
        EXPECT_EQ(server.connections(), 2U);
    }
}

TEST(Batch, AMessageRefusedAsAWholeFailsAllOfIt) {
    Notes notes;
    ScriptedServer server(ScriptedServer::Granting{
        "batch", [&](ScriptedPeer& peer) {
            (void)peer.answer(error_frame("VALIDATION_ERROR", "too many"));
            echo_batches(peer, notes);
        }});
    GenericVectorEnv vector(server.url(), two());
    const auto batch = vector.sync().reset();
    EXPECT_EQ(batch.failed(), 2U);
    EXPECT_EQ(batch[1].error->code, Errc::validation);
    EXPECT_EQ(vector.sync().reset().failed(), 0U);
    EXPECT_EQ(server.connections(), 1U);
}

TEST(Batch, AServerThatDoesNotGrantItIsAskedOverManyConnections) {
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    GenericVectorEnv vector(server.url(), two());
    auto& envs = vector.sync();
    const std::vector<Json> arguments{numbered(1), numbered(2)};
    EXPECT_EQ(envs.reset(arguments)[1].observation, numbered(2));
    EXPECT_EQ(envs.step(arguments)[0].observation, numbered(1));
    EXPECT_EQ(server.connections(), 2U) << "the first one asked whether it has to be so";
    VectorOptions options = two();
    options.connection = VectorConnection::one;
    GenericVectorEnv strict(server.url(), options);
    const Error error = thrown_by<Exception>([&] { return strict.sync().reset(); });
    EXPECT_EQ(error.code, Errc::usage);
    EXPECT_THAT(error.message, HasSubstr("batch"));
}

TEST(Batch, TheFormerIsToldWhatIsWaitedFor) {
    Notes notes;
    ScriptedServer server(echoing(notes));
    GenericVectorEnv vector(server.url(), two());
    auto& envs = vector.sync();
    const std::vector<Json> actions{numbered(1), numbered(2)};
    envs.send(actions);
    (void)envs.receive(2);
    envs.send(actions);
    (void)envs.receive(2);
    envs.step(actions);
    envs.step(actions);
    std::vector<std::string> formers;
    for (const std::string& note : notes.all()) {
        const Json x = Json::parse(note)["x"];
        formers.push_back(x.contains("former") ? x["former"].dump() : "none");
    }
    EXPECT_THAT(
        formers,
        ElementsAre(
            R"({"min":1,"within_s":0.005})",
            R"({"min":2,"within_s":0.005})",
            R"({"within_s":0.02})",
            "none"
        )
    );
}

}  // namespace
}  // namespace test
}  // namespace openenv
