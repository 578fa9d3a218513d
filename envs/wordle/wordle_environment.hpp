#pragma once

#include "reward_signals.hpp"
#include "secret_choice.hpp"
#include "transcript.hpp"
#include "wordle_game.hpp"
#include "wordle_messages.hpp"

#include <openenv/base/json.hpp>
#include <openenv/env/environment.hpp>

#include <optional>
#include <string_view>

namespace wordle {

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
