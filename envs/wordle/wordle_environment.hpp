#pragma once

#include "reward_signals.hpp"
#include "secret_choice.hpp"
#include "transcript.hpp"
#include "wordle_game.hpp"

#include <openenv/base/json.hpp>
#include <openenv/env/environment.hpp>
#include <openenv/model/field.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordle {

/// What the player says; the guess is the word in square brackets.
struct WordleAction : openenv::Action {
    std::string message;

    static constexpr auto fields =
        openenv::fields(openenv::field("message", &WordleAction::message)
                            .describe("A message with a guess in square brackets, such as [crane]")
        );
};

/// A part of what the player sees.
struct WordleMessage {
    std::int64_t sender_id = 0;
    std::string content;
    std::string category;

    static constexpr auto fields = openenv::fields(
        openenv::field("sender_id", &WordleMessage::sender_id).describe("-1 is the game"),
        openenv::field("content", &WordleMessage::content),
        openenv::field("category", &WordleMessage::category)
    );
};

/// What the player sees. Shape: exactly one message, the whole history of the episode.
struct WordleObservation : openenv::Observation {
    std::string prompt;
    std::vector<WordleMessage> messages;
    std::int64_t current_player_id = 0;
    std::vector<std::int64_t> legal_players;
    openenv::Json info = openenv::Json::object();

    static constexpr auto fields = openenv::fields(
        openenv::field("prompt", &WordleObservation::prompt)
            .describe("The rules; once a guess was taken, the name of the game"),
        openenv::field("messages", &WordleObservation::messages)
            .describe("One message with the whole history, which grows by appending")
            .or_hidden_default(),
        openenv::field("current_player_id", &WordleObservation::current_player_id).or_default(),
        openenv::field("legal_players", &WordleObservation::legal_players).or_hidden_default(),
        openenv::field("info", &WordleObservation::info)
            .object()
            .describe("After a step: reward_signals, what a trainer may shape its reward with")
            .or_hidden_default()
    );
};

/// Where the episode stands. The secret is no part of it: whoever can ask for the state could win.
struct WordleState : openenv::State {
    std::string env_id;
    std::int64_t num_players = 1;
    std::optional<std::int64_t> max_turns;
    std::int64_t turn = 0;
    double last_reward = 0.0;
    openenv::Json last_info = openenv::Json::object();
    openenv::Json raw_state = openenv::Json::object();

    static constexpr auto fields = openenv::fields(
        openenv::field("env_id", &WordleState::env_id),
        openenv::field("num_players", &WordleState::num_players),
        openenv::field("max_turns", &WordleState::max_turns).or_default(),
        openenv::field("turn", &WordleState::turn).describe("Moves that counted").or_default(),
        openenv::field("last_reward", &WordleState::last_reward).or_default(),
        openenv::field("last_info", &WordleState::last_info).object().or_hidden_default(),
        openenv::field("raw_state", &WordleState::raw_state)
            .object()
            .describe("The game as it stands, without the secret")
            .or_hidden_default()
    );
};

/// Wordle with the messages of textarena_env: README.md has the contract.
/// A game is open from construction on, so a step needs no reset before it.
class WordleEnvironment final : public openenv::Environment<WordleAction, WordleObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    // Every call is pure computation on a few kilobytes, at worst on some hundred: see kMaxKept.
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;

    WordleEnvironment();

    WordleObservation reset(const ResetOptions& options) override;
    WordleObservation step(const WordleAction& action, const StepOptions& options) override;
    [[nodiscard]] const WordleState& state() const override;

private:
    void start(std::string_view secret);
    void play(std::string_view message);
    [[nodiscard]] WordleObservation observation() const;
    [[nodiscard]] openenv::Json info() const;
    [[nodiscard]] openenv::Json raw_state() const;

    SeedSource seeds_;
    Game game_;
    Transcript transcript_;
    SignalCounter signal_counter_;
    std::optional<RewardSignals> signals_;  // of the latest step; none before the first
    // Written when asked for: a step is not to pay for a state that nobody reads.
    mutable WordleState state_;
};

}  // namespace wordle
