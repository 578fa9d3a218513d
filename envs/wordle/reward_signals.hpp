#pragma once

#include "wordle_game.hpp"

#include <map>
#include <optional>
#include <string>

namespace wordle {

/// What a trainer may shape its reward with, beside the reward itself.
struct RewardSignals {
    double greens = 0.0;       ///< greens of the latest guess taken, as a part of its letters
    double yellows = 0.0;      ///< yellows, likewise
    double repetitions = 1.0;  ///< 1 minus how often this word was sent before
    double correct = 0.0;      ///< the reward of the move
};

/// Computes the signals from the game itself, never from a text that a player could have written.
class SignalCounter {
public:
    /// To be called once after each move of an open game, with the word that the move named.
    [[nodiscard]] RewardSignals after_move(
        const Game& game, const std::optional<std::string>& word
    );

private:
    std::map<std::string, int> times_sent_;
};

}  // namespace wordle
