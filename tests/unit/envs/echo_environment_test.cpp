#include "echo/echo_environment.hpp"

#include "echo/echo_entry.hpp"

#include <openenv/base/json.hpp>
#include <openenv/env/typed_environment.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace echo {
namespace {

using openenv::Json;
using Reset = EchoEnvironment::ResetOptions;

constexpr const char* kUuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

EchoObservation step(EchoEnvironment& environment, std::string_view message) {
    EchoAction action;
    action.message = message;
    return environment.step(action, {});
}

TEST(EchoEnvironment, SendsEveryMessageBack) {
    EchoEnvironment environment;
    for (const char* message : {"hello", "", " two words\n", "caf\xC3\xA9"}) {
        const EchoObservation seen = step(environment, message);
        EXPECT_EQ(seen.echoed_message, message);
        EXPECT_FALSE(seen.done);
    }
}

TEST(EchoEnvironment, CountsCodePoints) {
    struct Row {
        std::string_view message;
        std::int64_t length;
    };
    EchoEnvironment environment;
    for (const Row& row :
         {Row{"", 0},
          Row{"abc", 3},
          Row{"caf\xC3\xA9", 4},
          Row{"\xE2\x82\xAC", 1},
          Row{"\xF0\x9F\x98\x80!", 2},
          Row{"e\xCC\x81", 2}}) {  // a letter and its accent, apart
        EXPECT_EQ(step(environment, row.message).message_length, row.length) << row.message;
    }
}

TEST(EchoEnvironment, RewardsCharactersUpToOne) {
    EchoEnvironment environment;
    EXPECT_EQ(step(environment, "").reward, openenv::Reward(0.0));
    EXPECT_DOUBLE_EQ(step(environment, "hello").reward.as_number(), 0.5);
    EXPECT_DOUBLE_EQ(step(environment, "caf\xC3\xA9").reward.as_number(), 0.4);
    EXPECT_EQ(step(environment, std::string(10, 'x')).reward, openenv::Reward(1.0));
    EXPECT_EQ(step(environment, std::string(11, 'x')).reward, openenv::Reward(1.0));
    EXPECT_EQ(step(environment, std::string(100'000, 'x')).reward, openenv::Reward(1.0));
}

TEST(EchoEnvironment, TellsTheMessageAndTheStepInItsMetadata) {
    EchoEnvironment environment;
    EXPECT_EQ(
        step(environment, "a").metadata, Json::object({{"original_message", "a"}, {"step", 1}})
    );
    EXPECT_EQ(
        step(environment, "b").metadata, Json::object({{"original_message", "b"}, {"step", 2}})
    );
}

TEST(EchoEnvironment, IsReadyAfterAReset) {
    EchoEnvironment environment;
    (void)step(environment, "before");
    const EchoObservation seen = environment.reset(Reset());
    EXPECT_EQ(seen.echoed_message, "Echo environment ready!");
    EXPECT_EQ(seen.message_length, 0);
    EXPECT_EQ(seen.reward, openenv::Reward(0.0));
    EXPECT_FALSE(seen.done);
    EXPECT_EQ(seen.metadata, Json::object());
    EXPECT_EQ(environment.state().step_count, 0);
}

TEST(EchoEnvironment, CountsStepsFromTheLastReset) {
    EchoEnvironment environment;
    EXPECT_EQ(environment.state().step_count, 0);
    (void)step(environment, "a");
    (void)step(environment, "b");
    EXPECT_EQ(environment.state().step_count, 2);
    (void)environment.reset(Reset());
    EXPECT_EQ(environment.state().step_count, 0);
    (void)step(environment, "c");
    EXPECT_EQ(environment.state().step_count, 1);
}

TEST(EchoEnvironment, NamesEveryEpisode) {
    EchoEnvironment environment;
    const std::string first = environment.state().episode_id.value();
    EXPECT_THAT(first, testing::MatchesRegex(kUuid));
    (void)environment.reset(Reset());
    const std::string second = environment.state().episode_id.value();
    EXPECT_THAT(second, testing::MatchesRegex(kUuid));
    EXPECT_NE(second, first);
    Reset named;
    named.episode_id = "mine";
    (void)environment.reset(named);
    EXPECT_EQ(environment.state().episode_id, "mine");
}

TEST(EchoEnvironment, TakesASeedThatChangesNothing) {
    EchoEnvironment seeded;
    EchoEnvironment plain;
    const EchoObservation ready = seeded.reset(Reset(42));
    EXPECT_EQ(ready.echoed_message, plain.reset(Reset()).echoed_message);
    EXPECT_EQ(step(seeded, "hello").reward, step(plain, "hello").reward);
    EXPECT_EQ(seeded.state().step_count, plain.state().step_count);
}

TEST(EchoEnvironment, IsServedToManyInPlace) {
    const openenv::EnvironmentEntry entry = echo_entry();
    EXPECT_EQ(entry.name, "echo");
    EXPECT_EQ(entry.class_name, "EchoEnvironment");
    EXPECT_EQ(entry.traits.execution, openenv::Execution::inline_fast);
    EXPECT_TRUE(entry.traits.supports_concurrent_sessions);
    std::string out;
    EXPECT_EQ(
        entry.make()->step(R"({"text":"a"})", {}, openenv::ResultForm::websocket, out),
        openenv::CallOutcome::invalid
    ) << "a message is required";
}

}  // namespace
}  // namespace echo
