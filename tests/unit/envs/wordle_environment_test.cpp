#include "wordle/wordle_environment.hpp"

#include "wordle/game_texts.hpp"
#include "wordle/player_message.hpp"
#include "wordle/wordle_entry.hpp"

#include <openenv/base/json.hpp>
#include <openenv/env/typed_environment.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace wordle {
namespace {

using openenv::Json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

using Reset = WordleEnvironment::ResetOptions;

WordleObservation step(WordleEnvironment& environment, std::string_view message) {
    WordleAction action;
    action.message = message;
    return environment.step(action, {});
}

std::string history(const WordleObservation& observation) {
    return observation.messages.at(0).content;
}

double reward(const WordleObservation& observation) {
    return observation.reward.as_number();
}

std::string in_brackets(std::string_view word) {
    std::string text(word);
    return text.insert(0, 1, '[').append(1, ']');
}

/// Accepted words that are not the secret of the seed.
std::vector<std::string> wrong_words(std::uint64_t seed, std::size_t wanted) {
    std::vector<std::string> words;
    for (const char* word : {"crane", "moist", "bulky", "fudge", "vapor", "whisk", "jelly"}) {
        if (word != secret_for(seed) && words.size() < wanted) {
            words.emplace_back(word);
        }
    }
    return words;
}

TEST(WordleEnvironment, ShowsTheRulesAtReset) {
    WordleEnvironment environment;
    const auto seen = environment.reset(Reset(7));

    ASSERT_THAT(seen.messages, SizeIs(1));
    EXPECT_EQ(seen.messages[0].sender_id, -1);
    EXPECT_EQ(seen.messages[0].category, "MESSAGE");
    EXPECT_EQ(seen.messages[0].content, "\n[GAME] " + rules_text());
    EXPECT_EQ("\n" + seen.prompt + "\n", seen.messages[0].content)
        << "the prompt has no blanks around";
    EXPECT_EQ(seen.current_player_id, 0);
    EXPECT_EQ(seen.legal_players, std::vector<std::int64_t>{0});
    EXPECT_EQ(seen.info, Json::object());
    EXPECT_EQ(seen.metadata["env_id"], Json("Wordle-v0"));
    EXPECT_EQ(seen.metadata["turn"], Json(0));
    EXPECT_EQ(seen.metadata["raw_messages"][0]["content"], Json(history(seen)));
    EXPECT_EQ(seen.reward, openenv::Reward(0.0));
    EXPECT_FALSE(seen.done);
}

TEST(WordleEnvironment, AppendsTheMoveAndItsAnswerToTheHistory) {
    WordleEnvironment environment;
    std::string before = history(environment.reset(Reset(7)));
    for (const std::string message :
         {"I try [CRANE]", "no word", "moist", "[crane", "bulky", "[crane]"}) {
        const std::string after = history(step(environment, message));
        EXPECT_THAT(after, StartsWith(before)) << message;
        EXPECT_GT(after.size(), before.size()) << message;
        before = after;
    }
    EXPECT_THAT(before, HasSubstr("\n[GAME] I try [CRANE]\n[GAME] You submitted [crane].\n"));
    EXPECT_THAT(before, HasSubstr("\n[GAME] [moist]\n[GAME] You submitted [moist].\n"));
}

TEST(WordleEnvironment, TellsWhatAGuessWasWorth) {
    WordleEnvironment environment;
    environment.reset(Reset(7));
    const std::string word = wrong_words(7, 1).at(0);
    const Feedback feedback = mark(word, secret_for(7));

    const auto seen = step(environment, in_brackets(word));

    EXPECT_THAT(
        history(seen),
        EndsWith("Feedback:\n" + feedback_text({word, feedback}) + "\nYou have 5 guesses left.")
    );
    EXPECT_EQ(seen.prompt, "Wordle-v0");
    const Json& signals = seen.info["reward_signals"];
    EXPECT_EQ(signals["wordle.greens"].as_double(), double(count(feedback, Mark::green)) / 5);
    EXPECT_EQ(signals["wordle.yellows"].as_double(), double(count(feedback, Mark::yellow)) / 5);
    EXPECT_EQ(signals["wordle.repetitions"], Json(1.0));
    EXPECT_EQ(signals["wordle.correct"], Json(0.0));
    EXPECT_EQ(seen.metadata["reward_signals"], signals);
    EXPECT_EQ(reward(seen), 0.0);
    EXPECT_FALSE(seen.done);
}

TEST(WordleEnvironment, RewardsTheSecret) {
    WordleEnvironment environment;
    environment.reset(Reset(7));
    const auto seen = step(environment, in_brackets(secret_for(7)));
    EXPECT_TRUE(seen.done);
    EXPECT_EQ(reward(seen), 1.0);
    EXPECT_EQ(seen.info["reward_signals"]["wordle.correct"], Json(1.0));
    EXPECT_THAT(history(seen), HasSubstr("Congratulations"));
}

TEST(WordleEnvironment, EndsWithTheSixthGuess) {
    WordleEnvironment environment;
    environment.reset(Reset(7));
    const auto words = wrong_words(7, 6);
    for (const std::string& word : words) {
        const auto seen = step(environment, in_brackets(word));
        EXPECT_EQ(seen.done, word == words.back()) << word;
        const double closest = closeness(mark(word, secret_for(7)));
        EXPECT_EQ(reward(seen), seen.done ? closest : 0.0) << word;
    }
}

TEST(WordleEnvironment, EndsWithTheSecondInvalidMoveInARow) {
    WordleEnvironment environment;
    environment.reset(Reset(7));
    const auto first = step(environment, "[zzzzz]");
    EXPECT_FALSE(first.done);
    EXPECT_THAT(history(first), HasSubstr("You attempted an invalid move"));
    EXPECT_TRUE(step(environment, "[zzzzz]").done);
}

TEST(WordleEnvironment, RepeatsTheLastObservationOnceOver) {
    WordleEnvironment environment;
    environment.reset(Reset(7));
    const auto last = step(environment, in_brackets(secret_for(7)));
    const auto again = step(environment, "[crane]");
    EXPECT_EQ(history(again), history(last));
    EXPECT_EQ(again.reward, last.reward);
    EXPECT_EQ(again.info, last.info);
    EXPECT_TRUE(again.done);
    EXPECT_EQ(environment.state().step_count, 2);
    EXPECT_EQ(environment.state().turn, 1);
}

TEST(WordleEnvironment, CanBePlayedWithoutAReset) {
    WordleEnvironment environment;
    EXPECT_EQ(environment.state().episode_id, std::nullopt);
    EXPECT_THAT(history(step(environment, "[crane]")), HasSubstr("You submitted [crane]."));
}

TEST(WordleEnvironment, TheSameSeedGivesTheSameEpisode) {
    WordleEnvironment one;
    WordleEnvironment other;
    for (const std::int64_t seed : {0L, 1L, -1L, 42L, INT64_MAX, INT64_MIN}) {
        EXPECT_EQ(history(one.reset(Reset(seed))), history(other.reset(Reset(seed))));
        for (const char* message : {"[crane]", "[moist]", "[zzzzz]", "[bulky]"}) {
            EXPECT_EQ(history(step(one, message)), history(step(other, message))) << seed;
        }
    }
}

TEST(WordleEnvironment, ASeededEpisodeForgetsTheOneBefore) {
    WordleEnvironment environment;
    const std::string fresh = history(environment.reset(Reset(7)));
    step(environment, "[zzzzz]");
    EXPECT_EQ(history(environment.reset(Reset(7))), fresh);
    step(environment, "[zzzzz]");
    EXPECT_FALSE(step(environment, "[crane]").done) << "invalid moves were forgotten too";
    EXPECT_EQ(environment.state().step_count, 2);
}

TEST(WordleEnvironment, SeedsGiveManySecrets) {
    std::set<std::string_view> secrets;
    for (std::uint64_t seed = 0; seed < secret_words().size(); ++seed) {
        secrets.insert(secret_for(seed));
    }
    // Even drawing leaves 1 - 1/e = 63 % of the words.
    EXPECT_GT(secrets.size(), secret_words().size() / 2);
}

TEST(WordleEnvironment, PinsTheSecretsOfSomeSeeds) {
    // A change here changes what users' seeds mean: it needs an entry in the change log.
    EXPECT_EQ(secret_for(0), "share");
    EXPECT_EQ(secret_for(1), "angle");
    EXPECT_EQ(secret_for(42), "tweed");
}

TEST(WordleEnvironment, WithoutASeedEpisodesDiffer) {
    // A fixed guess: its marks are the same in twenty games in a row only if the secret does not
    // change. That could happen by chance, about once in 10^12 runs.
    WordleEnvironment environment;
    std::set<std::string> answers;
    for (int i = 0; i < 20; ++i) {
        environment.reset(Reset());
        answers.insert(history(step(environment, "[slate]")));
    }
    EXPECT_GT(answers.size(), 1U);
}

TEST(WordleEnvironment, KeepsTheEpisodeIdOrMakesOne) {
    WordleEnvironment environment;
    Reset options;
    options.episode_id = "mine";
    environment.reset(options);
    EXPECT_EQ(environment.state().episode_id, "mine");

    environment.reset(Reset());
    const auto first = environment.state().episode_id;
    environment.reset(Reset());
    ASSERT_TRUE(first.has_value());
    EXPECT_THAT(*first, SizeIs(36));
    EXPECT_NE(first, environment.state().episode_id);
}

TEST(WordleEnvironment, StateTellsTheGame) {
    WordleEnvironment environment;
    environment.reset(Reset(7));
    const std::string word = wrong_words(7, 1).at(0);
    step(environment, in_brackets(word));
    step(environment, "[zzzzz]");

    const WordleState& state = environment.state();

    EXPECT_EQ(state.env_id, "Wordle-v0");
    EXPECT_EQ(state.num_players, 1);
    EXPECT_EQ(state.max_turns, std::nullopt);
    EXPECT_EQ(state.step_count, 2);
    EXPECT_EQ(state.turn, 1);
    EXPECT_EQ(state.last_reward, 0.0);
    EXPECT_TRUE(state.last_info.contains("reward_signals"));
    const Json& raw = state.raw_state;
    EXPECT_EQ(raw["turn"], Json(1));
    EXPECT_EQ(raw["done"], Json(false));
    EXPECT_TRUE(raw["rewards"].is_null());
    EXPECT_EQ(raw["game_state"]["guess_history"][0][0], Json(word));
    EXPECT_EQ(raw["game_state"]["guess_history"][0][1].size(), 5U);
    EXPECT_EQ(raw["logs"].size(), 5U) << "the rules, two moves and their answers";
    for (const char* key : {"role_mapping", "game_info", "step_info", "reward_signals"}) {
        EXPECT_TRUE(raw.contains(key)) << key;
    }
}

TEST(WordleEnvironment, StateTellsTheEnd) {
    WordleEnvironment environment;
    environment.reset(Reset(7));
    step(environment, in_brackets(secret_for(7)));
    EXPECT_EQ(environment.state().last_reward, 1.0);
    EXPECT_EQ(environment.state().raw_state["rewards"], Json::object({{"0", 1.0}}));
    EXPECT_EQ(environment.state().raw_state["done"], Json(true));
    environment.reset(Reset(7));
    EXPECT_EQ(environment.state().last_reward, 0.0);
    EXPECT_EQ(environment.state().last_info, Json::object());
}

/// All that a peer is told in a game that is lost without naming the secret.
std::string said_in_a_lost_game(openenv::AnyEnvironment& environment, std::uint64_t seed) {
    std::string said;
    const std::string arguments = Json::object({{"seed", seed}, {"episode_id", "1"}}).dump();
    environment.reset(arguments, {}, openenv::ResultForm::websocket, said);
    environment.state(said);
    for (const std::string& word : wrong_words(seed, 6)) {
        const std::string action = Json::object({{"message", in_brackets(word)}}).dump();
        environment.step(action, {}, openenv::ResultForm::websocket, said);
        environment.state(said);
    }
    return said;
}

TEST(WordleEnvironment, NothingNamesTheSecretBeforeThePlayerDoes) {
    const auto environment = wordle_entry().make();
    // Some secrets are words that every game uses, such as "state".
    const std::string ordinary = said_in_a_lost_game(*environment, 7);
    int games = 0;
    for (std::uint64_t seed = 100; seed < 300; ++seed) {
        const std::string_view secret = secret_for(seed);
        if (secret == secret_for(7) || ordinary.find(secret) != std::string::npos) {
            continue;
        }
        ++games;
        const std::string said = said_in_a_lost_game(*environment, seed);
        EXPECT_NE(said.find("\"done\":true"), std::string::npos) << seed;
        EXPECT_EQ(said.find(secret), std::string::npos) << seed << " gives " << secret;
    }
    EXPECT_GT(games, 150);
}

TEST(WordleEnvironment, SpeaksTheContractInJson) {
    const auto entry = wordle_entry();
    EXPECT_EQ(entry.name, "wordle");
    EXPECT_EQ(entry.class_name, "WordleEnvironment");
    EXPECT_TRUE(entry.traits.supports_concurrent_sessions);
    EXPECT_EQ(entry.traits.execution, openenv::Execution::inline_fast);
    const auto environment = entry.make();

    std::string out;
    environment->reset(R"({"seed":7,"episode_id":"e"})", {}, openenv::ResultForm::websocket, out);
    const Json answer = Json::parse(out);
    EXPECT_EQ(answer["reward"], Json(0.0));
    EXPECT_EQ(answer["done"], Json(false));
    const Json& seen = answer["observation"];
    for (const char* key : {"prompt", "messages", "current_player_id", "legal_players", "info"}) {
        EXPECT_TRUE(seen.contains(key)) << key;
    }

    out.clear();
    environment->state(out);
    const Json state = Json::parse(out);
    for (const char* key :
         {"episode_id",
          "step_count",
          "env_id",
          "num_players",
          "max_turns",
          "turn",
          "last_reward",
          "last_info",
          "raw_state"}) {
        EXPECT_TRUE(state.contains(key)) << key;
    }

    out.clear();
    EXPECT_EQ(
        environment->step(R"({"word":"crane"})", {}, openenv::ResultForm::websocket, out),
        openenv::CallOutcome::invalid
    );
}

TEST(WordleEnvironment, SessionsAtOnceDoNotTouchEachOther) {
    constexpr int kSessions = 8;
    const auto play = [](std::int64_t seed) {
        WordleEnvironment environment;
        std::string said;
        for (int episode = 0; episode < 50; ++episode) {
            environment.reset(Reset(seed + episode));
            for (const char* message : {"[crane]", "[moist]", "[zzzzz]", "[bulky]"}) {
                said += history(step(environment, message));
            }
            said += environment.state().raw_state.dump();
        }
        return said;
    };
    std::vector<std::string> together(kSessions);
    {
        std::vector<std::jthread> sessions;
        for (int i = 0; i < kSessions; ++i) {
            sessions.emplace_back([&play, &said = together[static_cast<std::size_t>(i)], i] {
                said = play(i);
            });
        }
    }
    for (int i = 0; i < kSessions; ++i) {
        EXPECT_EQ(together[static_cast<std::size_t>(i)], play(i)) << i;
    }
}

TEST(WordleEnvironment, KeepsOnlyTheStartOfALongMessage) {
    WordleEnvironment environment;
    const auto before = history(environment.reset(Reset(7))).size();
    const auto seen = step(environment, "[crane]" + std::string(4 * kMaxKept, 'x'));
    EXPECT_THAT(history(seen), HasSubstr("You submitted [crane]."));
    EXPECT_LT(history(seen).size() - before, kMaxKept + 1000);
}

}  // namespace
}  // namespace wordle
