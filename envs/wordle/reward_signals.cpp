#include "reward_signals.hpp"

namespace wordle {

RewardSignals SignalCounter::after_move(const Game& game, const std::optional<std::string>& word) {
    RewardSignals signals;
    if (!game.guesses().empty()) {
        constexpr auto kLetters = static_cast<double>(kWordLength);
        const Feedback& latest = game.guesses().back().feedback;
        signals.greens = static_cast<double>(count(latest, Mark::green)) / kLetters;
        signals.yellows = static_cast<double>(count(latest, Mark::yellow)) / kLetters;
    }
    if (word) {
        signals.repetitions = 1.0 - times_sent_[*word]++;
    }
    signals.correct = game.score();
    return signals;
}

}  // namespace wordle
