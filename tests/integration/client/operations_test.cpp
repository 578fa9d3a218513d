// What a client sends, and how it reads the answers (conformance cases 264 to 278, 306 and 307).
#include "integration/client/answering.hpp"
#include "integration/client/counting.hpp"
#include "integration/client/echo_script.hpp"
#include "integration/client/run_coroutine.hpp"
#include "integration/support/together.hpp"
#include "support/expect_json.hpp"
#include "support/log_capture.hpp"
#include "support/scripted_server.hpp"

#include <openenv/client/env_client.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// What is sent for one call, which is answered with `answer`.
Json sent_by(
    const std::function<void(SyncClient<EnvClient<Json, Json, Json>>&)>& call,
    const std::string& answer = observation_frame()
) {
    Answering server({answer});
    GenericEnvClient client(server.url());
    call(client.sync());
    const std::vector<Json> asked = server.asked();
    EXPECT_EQ(asked.size(), 1U);
    return asked.empty() ? Json() : asked[0];
}

TEST(Conformance, Case264ResetWithArguments) {
    const Json sent = sent_by([](auto& env) {
        env.reset(Json::object({{"seed", 1}, {"difficulty", "x"}}));
    });
    EXPECT_THAT(sent, equals_json(R"({"type":"reset","data":{"seed":1,"difficulty":"x"}})"));
    const Json seeded = sent_by([](auto& env) { env.reset(openenv::seed(-7), 3s); });
    EXPECT_THAT(seeded, equals_json(R"({"type":"reset","data":{"seed":-7}})"));
}

TEST(Conformance, Case265ResetWithout) {
    const Json sent = sent_by([](auto& env) { env.reset(); });
    EXPECT_THAT(sent, equals_json(R"({"type":"reset","data":{}})"));
}

TEST(Conformance, Case266AStepSendsTheActionAndNotTheTimeItMayTake) {
    const Json sent = sent_by([](auto& env) { env.step(Json::object({{"a", 1}}), 3s); });
    EXPECT_THAT(sent, equals_json(R"({"type":"step","data":{"a":1}})"));
}

TEST(Conformance, Case267NestedAndEmptyActionsAsTheyAre) {
    for (const std::string action :
         {R"({})", R"({"a":{},"b":{"c":[1,null,{"d":"\u00e4"}],"e":1.0}})"}) {
        const Json sent = sent_by([&](auto& env) { env.step(Json::parse(action)); });
        EXPECT_THAT(sent, equals_json(R"({"type":"step","data":)" + action + "}"));
    }
}

TEST(Conformance, Case268TheStateAsItIs) {
    const std::string state = R"({"episode_id":"e","step_count":3,"more":{"a":1}})";
    Json seen;
    const Json sent = sent_by([&](auto& env) { seen = env.state(); }, state_frame(state));
    EXPECT_THAT(sent, equals_json(R"({"type":"state"})"));
    EXPECT_THAT(seen, equals_json(state));
}

TEST(Conformance, Case270UnknownKeysAndTypesArePassedOver) {
    Answering server(
        {R"({"type":"something","data":{"observation":{"count":2,"new":1},"reward":true,"done":true,)"
         R"("later":[]},"also":1})"}
    );
    LogCapture log;
    CountClient client(server.url());
    const auto result = client.sync().wait(client.count(1));
    EXPECT_EQ(result.observation.count, 2);
    EXPECT_EQ(result.reward, Reward(true));
    EXPECT_TRUE(result.done);
    EXPECT_EQ(log.count("passing over them: new"), 1U);
}

/// What a client of that class makes of a frame.
template <class Client>
typename Client::Result result_of(const std::string& frame) {
    Answering server({frame});
    Client client(server.url());
    return client.sync().reset();
}

TEST(Conformance, Case271MetadataOfGenericClientsIsWhatStandsBesideTheObservation) {
    const auto nested = result_of<GenericEnvClient>(observation_frame(R"({"metadata":{"n":1}})"));
    EXPECT_TRUE(nested.metadata.is_null());
    EXPECT_THAT(nested.observation, equals_json(R"({"metadata":{"n":1}})"));
    const auto beside = result_of<GenericEnvClient>(
        observation_frame("{}", R"("reward":1,"done":false,"metadata":{"b":2})")
    );
    EXPECT_THAT(beside.metadata, equals_json(R"({"b":2})"));
    EXPECT_THAT(beside.observation, equals_json("{}"));
    const auto both = result_of<GenericEnvClient>(observation_frame(
        R"({"metadata":{"n":1}})", R"("reward":1,"done":false,"metadata":{"b":2})"
    ));
    EXPECT_THAT(both.metadata, equals_json(R"({"b":2})"));
    EXPECT_THAT(both.observation, equals_json(R"({"metadata":{"n":1}})"));
}

TEST(Conformance, Case272AnswersWithoutMetadata) {
    const auto generic = result_of<GenericEnvClient>(observation_frame());
    EXPECT_TRUE(generic.metadata.is_null());
    EXPECT_THAT(generic.observation, equals_json("{}"));
    const auto typed = result_of<CountClient>(observation_frame(R"({"count":4})"));
    EXPECT_EQ(typed.observation.count, 4);
    EXPECT_TRUE(typed.metadata.is_null());
    EXPECT_THAT(typed.observation.metadata, equals_json("{}"));
}

/// The error that the server's frame becomes, and whether the next call works on the connection.
std::string told_error(const std::string& frame) {
    Answering server({frame, observation_frame(R"({"count":6})")});
    CountClient client(server.url());
    std::string told;
    try {
        client.sync().wait(client.count(1));
    } catch (const Exception& error) {
        told = error.what();
    }
    EXPECT_EQ(client.sync().wait(client.count(1)).observation.count, 6);
    EXPECT_EQ(server.connections(), 1U);
    return told;
}

TEST(Conformance, Case273AnErrorIsToldAndTheConnectionGoesOn) {
    EXPECT_EQ(told_error(error_frame("C", "m")), "Server error: m (code: C)");
}

TEST(Conformance, Case274AnErrorThatSaysNothing) {
    EXPECT_EQ(told_error(R"({"type":"error"})"), "Server error: Unknown error (code: UNKNOWN)");
    EXPECT_EQ(
        told_error(R"({"type":"error","data":{}})"), "Server error: Unknown error (code: UNKNOWN)"
    );
}

TEST(Client, ServerErrorsComeAsTheClassThatBelongsToThem) {
    Answering server(
        {R"({"type":"error","data":{"message":"Invalid message","code":"VALIDATION_ERROR",)"
         R"("errors":[{"type":"missing","loc":["a"],"msg":"Field required","input":{}}]}})",
         error_frame("EXECUTION_ERROR", "no"),
         error_frame("UNKNOWN_TYPE", "what"),
         observation_frame()}
    );
    GenericEnvClient client(server.url());
    auto& env = client.sync();
    try {
        env.step(Json::object());
        FAIL();
    } catch (const ValidationFailed& error) {
        EXPECT_EQ(error.errors()[0]["type"], "missing");
        EXPECT_EQ(error.error().server_code, "VALIDATION_ERROR");
    }
    EXPECT_THROW(env.step(Json::object()), ExecutionFailed);
    try {
        env.step(Json::object());
        FAIL();
    } catch (const Exception& error) {
        EXPECT_EQ(error.code(), Errc::unknown_type);
    }
    env.step(Json::object());
}

/// What is sent instead of an answer, and what the call throws then.
struct NoAnswer {
    const char* what;
    Errc code;
    std::function<void(ScriptedPeer&)> send;
};

std::vector<NoAnswer> no_answers() {
    const auto message = [](std::string text) {
        return [text = std::move(text)](ScriptedPeer& peer) { peer.send(text); };
    };
    const auto bytes = [](std::string_view raw) {
        return [raw = std::string(raw)](ScriptedPeer& peer) { peer.send_bytes(raw); };
    };
    const std::string deep = std::string(1001, '[') + std::string(1001, ']');
    const std::string not_utf8 = observation_frame("{\"text\":\"\xC3\x28\"}");
    using namespace std::string_view_literals;
    return {
        {"1,001 deep", Errc::invalid_json, message(observation_frame(deep))},
        {"1,001 deep beside", Errc::invalid_json, message(R"({"a":)" + deep + "}")},
        {"binary, and no JSON",
         Errc::invalid_json,
         [](ScriptedPeer& peer) { peer.send_binary("\0\1"sv); }},
        {"binary, and no UTF-8",
         Errc::invalid_json,
         [=](ScriptedPeer& peer) { peer.send_binary(not_utf8); }},
        {"text that is no UTF-8", Errc::session, message(not_utf8)},
        {"a masked frame", Errc::session, bytes("\x81\x82mask{}"sv)},
        {"an unknown opcode", Errc::session, bytes("\x83\0"sv)},
        {"a reserved bit", Errc::session, bytes("\xC1\x02{}"sv)},
        {"a ping in parts", Errc::session, bytes("\x09\0"sv)},
        {"a part without a beginning", Errc::session, bytes("\x80\0"sv)},
        {"a size beyond all sizes",
         Errc::session,
         bytes("\x81\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"sv)},
        {"no frame at all", Errc::session, bytes("HTTP/1.1 400 Bad Request\r\n\r\n"sv)},
    };
}

TEST(Conformance, Case275WhatCannotBeReadCostsTheConnection) {
    for (const NoAnswer& bad : no_answers()) {
        SCOPED_TRACE(bad.what);
        ScriptedServer server([&bad](ScriptedPeer& peer) {
            (void)peer.answer(observation_frame());
            if (peer.number() == 0) {
                (void)peer.read();
                bad.send(peer);
            }
            peer.wait_for_close();
        });
        GenericEnvClient client(server.url());
        client.sync().reset();
        try {
            client.sync().step(Json::object());
            ADD_FAILURE() << "that is no answer";
        } catch (const Exception& error) {
            EXPECT_EQ(error.code(), bad.code) << error.what();
        }
        EXPECT_THROW(client.sync().state(), SessionLost);
        EXPECT_THAT(client.sync().reset().observation, equals_json("{}"));
        EXPECT_EQ(server.connections(), 2U);
    }
}

TEST(Client, AnAnswerInABinaryFrameIsReadAsThePythonEditionReadsIt) {
    ScriptedServer server([](ScriptedPeer& peer) {
        (void)peer.read();
        peer.send_binary(observation_frame(R"({"k":1})"));
        peer.wait_for_close();
    });
    GenericEnvClient client(server.url());
    EXPECT_THAT(client.sync().reset().observation, equals_json(R"({"k":1})"));
}

std::string large_frame(std::size_t mebibytes) {
    return observation_frame(R"({"text":")" + std::string(mebibytes << 20U, 'x') + "\"}");
}

TEST(Conformance, Case276LargeAnswersAreTakenAndTooLargeOnesAreNot) {
    constexpr std::size_t kLargeMiB = 90;
    constexpr std::size_t kTooLargeMiB = 101;
    ScriptedServer server([](ScriptedPeer& peer) {
        if (peer.number() == 0) {
            (void)peer.answer(large_frame(kLargeMiB));
            (void)peer.answer(large_frame(kTooLargeMiB));
        }
        (void)peer.answer(observation_frame());
        peer.wait_for_close();
    });
    GenericEnvClient client(server.url());
    EXPECT_EQ(client.sync().reset().observation["text"].as_string().size(), kLargeMiB << 20U);
    try {
        client.sync().step(Json::object());
        FAIL() << "it is too large";
    } catch (const SessionLost& error) {
        EXPECT_THAT(error.what(), HasSubstr("larger than the limit of 104857600 bytes"));
    }
    EXPECT_THAT(client.sync().reset().observation, equals_json("{}"));
    EXPECT_EQ(server.connections(), 2U);
}

TEST(Conformance, Case276TheServerIsToldThatItsAnswerIsTooLarge) {
    ClientOptions options;
    options.max_message_bytes = 1'000;
    // It fits into the client's first read: what is left unread resets the connection, and the
    // server may then not see the close.
    const std::string too_large =
        observation_frame(R"({"text":")" + std::string(1'200, 'x') + "\"}");
    std::promise<std::uint16_t> code;
    ScriptedServer refused([&](ScriptedPeer& peer) {
        (void)peer.answer(too_large);
        code.set_value(peer.wait_for_close());
    });
    GenericEnvClient client(refused.url(), options);
    EXPECT_THROW(client.sync().reset(), SessionLost);
    client.sync().close();
    EXPECT_EQ(code.get_future().get(), 1009);
}

TEST(Conformance, Case278CallsBegunTogetherAreMadeAndAnsweredInTheirOrder) {
    std::mutex mutex;
    std::vector<int> arrived;
    ScriptedServer server([&](ScriptedPeer& peer) {
        for (;;) {
            const Json question = Json::parse(peer.read());
            {
                const std::scoped_lock lock(mutex);
                arrived.push_back(static_cast<int>(question["data"]["k"].as_int64()));
            }
            peer.send(observation_frame(question["data"].dump()));
        }
    });
    GenericEnvClient client(server.url());
    constexpr int kCalls = 200;
    std::vector<std::future<GenericEnvClient::Result>> results;
    std::vector<int> begun;
    for (int k = 0; k != kCalls; ++k) {
        const Json action = numbered(k);
        results.push_back(client.step(action).async(boost::asio::use_future));
        begun.push_back(k);
    }
    for (int k = 0; k != kCalls; ++k) {
        EXPECT_EQ(results[static_cast<std::size_t>(k)].get().observation["k"], k);
    }
    EXPECT_EQ(server.connections(), 1U);
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(arrived, begun);
}

TEST(Conformance, Case278ThreadsThatShareAClientGetTheirOwnAnswers) {
    ScriptedServer server([](ScriptedPeer& peer) { echo(peer); });
    GenericEnvClient client(server.url());
    constexpr int kCallsEach = 50;
    std::atomic<int> answered{0};
    together(8, [&](std::size_t thread) {
        for (int k = 0; k != kCallsEach; ++k) {
            const Json action = Json::object({{"thread", static_cast<int>(thread)}, {"k", k}});
            EXPECT_EQ(client.sync().step(action).observation, action);
            ++answered;
        }
    });
    EXPECT_EQ(answered, 8 * kCallsEach);
    EXPECT_EQ(server.connections(), 1U);
}

/// Reads the next result, which has to tell the same in both places.
CountClient::Result count_once(CountClient& client) {
    const auto result = client.sync().wait(client.count(1));
    EXPECT_EQ(result.observation.reward, result.reward);
    EXPECT_EQ(result.observation.done, result.done);
    return result;
}

// F33: where reward and done stand.
TEST(Field, F33TypedObservationsTellRewardAndDoneWhereverTheyWereSent) {
    const std::string beside = R"("reward":2.5,"done":true)";
    Answering server(
        {observation_frame(R"({"count":1})", beside),
         observation_frame(R"({"count":1,"reward":2.5,"done":true})", beside),
         R"({"type":"observation","data":{"observation":{"count":1,"reward":2.5,"done":true}}})",
         observation_frame(
             R"({"count":1,"reward":2.5,"done":true})", R"("reward":null,"done":true)"
         )}
    );
    LogCapture log;
    CountClient client(server.url());
    for (int i = 0; i != 4; ++i) {
        const auto result = count_once(client);
        EXPECT_EQ(result.reward.as_number(), 2.5) << i;
        EXPECT_TRUE(result.done) << i;
    }
    EXPECT_FALSE(log.has("beside it counts"));
}

TEST(Field, F33WhatStandsBesideTheObservationCountsAndOneWarningTellsSo) {
    const std::string nested = R"({"count":1,"reward":7,"done":false})";
    const std::string beside = R"("reward":2.5,"done":true)";
    Answering server(
        {R"({"type":"observation","data":{"observation":{"count":0},"done":false}})",
         observation_frame(nested, R"("reward":7,"done":false)"),
         observation_frame(nested, beside),
         observation_frame(nested, beside)}
    );
    LogCapture log;
    CountClient client(server.url());
    EXPECT_TRUE(client.sync().reset().reward.is_null());
    EXPECT_EQ(count_once(client).reward.as_number(), 7);
    EXPECT_FALSE(log.has("beside it counts"));
    for (int i = 0; i != 2; ++i) {
        const auto result = count_once(client);
        EXPECT_EQ(result.reward.as_number(), 2.5) << i;
        EXPECT_TRUE(result.done) << i;
        EXPECT_EQ(log.count("one reward in the observation and another beside it"), 1U) << i;
        EXPECT_EQ(log.count("one done in the observation and another beside it"), 1U) << i;
    }
    EXPECT_EQ(log.count("the one beside it counts"), 2U);
}

TEST(Client, WarnsOfTheSameOncePerClient) {
    const std::string nested = R"({"count":1,"reward":7,"new":1})";
    const std::string frame = observation_frame(nested, R"("reward":1,"done":false)");
    LogCapture log;
    for (std::size_t clients = 1; clients != 3; ++clients) {
        Answering server({frame, frame});
        CountClient client(server.url());
        client.sync().reset();
        client.sync().reset();
        EXPECT_EQ(log.count("beside it counts"), clients);
        EXPECT_EQ(log.count("passing over them: new"), clients);
    }
}

// F32: where metadata stands.
TEST(Field, F32TypedObservationsTellMetadataWhereverItWasSent) {
    const std::string wanted = R"({"a":{"b":[1,null]}})";
    Answering server(
        {observation_frame(R"({"count":1,"metadata":)" + wanted + "}"),
         observation_frame(
             R"({"count":1,"metadata":{}})", R"("reward":null,"done":false,"metadata":)" + wanted
         ),
         observation_frame(R"({"count":1,"metadata":{}})"),
         observation_frame(
             R"({"count":1,"metadata":{"n":1}})", R"("reward":null,"done":false,"metadata":{"b":2})"
         )}
    );
    CountClient client(server.url());
    for (int i = 0; i != 2; ++i) {
        const auto result = count_once(client);
        EXPECT_THAT(result.metadata, equals_json(wanted)) << i;
        EXPECT_THAT(result.observation.metadata, equals_json(wanted)) << i;
    }
    const auto without = count_once(client);
    EXPECT_TRUE(without.metadata.is_null());
    EXPECT_THAT(without.observation.metadata, equals_json("{}"));
    const auto two = count_once(client);
    EXPECT_THAT(two.metadata, equals_json(R"({"b":2})"));
    EXPECT_THAT(two.observation.metadata, equals_json(R"({"b":2})"));
}

TEST(Client, AnAnswerThatDoesNotFitItsTypeSaysWhere) {
    Answering server({observation_frame(R"({"count":"many"})"), observation_frame(R"({"count":2})")}
    );
    CountClient client(server.url());
    try {
        client.sync().wait(client.count(1));
        FAIL();
    } catch (const ValidationFailed& error) {
        EXPECT_THAT(error.what(), HasSubstr("count"));
    }
    EXPECT_EQ(client.sync().wait(client.count(1)).observation.count, 2);
}

TEST(Conformance, Case306AClientIsUsedInOneStyle) {
    Answering server({observation_frame(), observation_frame()});
    GenericEnvClient client(server.url());
    run_coroutine([](GenericEnvClient& env) -> Task<void> {
        co_await env.reset();
        EXPECT_THAT(
            [&env] { env.sync().reset(); },
            testing::ThrowsMessage<Exception>(HasSubstr("already being used in async mode"))
        );
        co_await env.reset();
    }(client));

    Answering other({observation_frame(), observation_frame()});
    GenericEnvClient blocking(other.url());
    blocking.sync().reset();
    run_coroutine([](GenericEnvClient& env) -> Task<void> {
        std::string text;
        try {
            co_await env.reset();
        } catch (const Exception& error) {
            text = error.what();
        }
        EXPECT_THAT(text, HasSubstr("already being used in sync mode"));
    }(blocking));
    blocking.sync().reset();
}

TEST(Conformance, Case307TheBlockingFaceIsAlwaysTheSame) {
    GenericEnvClient client("h");
    auto& face = client.sync();
    EXPECT_EQ(&client.sync(), &face);
    EXPECT_EQ(&face.client(), &client);
    GenericEnvClient other("h");
    EXPECT_NE(&other.sync(), &face);
}

TEST(Client, ACallIsMadeOnce) {
    Answering server({observation_frame()});
    GenericEnvClient client(server.url());
    auto call = client.reset();
    call.get();
    EXPECT_THAT([&call] { call.get(); }, testing::ThrowsMessage<Exception>(HasSubstr("made once")));
}

TEST(Client, WaitingOnItsOwnLoopIsRefused) {
    Answering server({observation_frame()});
    GenericEnvClient client(server.url());
    std::promise<std::string> told;
    client.reset().async([&](std::exception_ptr, GenericEnvClient::Result) {
        try {
            client.state().get();
            told.set_value("");
        } catch (const Exception& error) {
            told.set_value(error.what());
        }
    });
    EXPECT_THAT(told.get_future().get(), HasSubstr("co_await"));
}

}  // namespace
}  // namespace test
}  // namespace openenv
