#include "wordle_game.hpp"

#include <algorithm>

namespace wordle {
Feedback mark(std::string_view guess, std::string_view secret) {
    Feedback feedback;
    feedback.fill(Mark::absent);
    std::array<bool, kWordLength> used{};
    for (std::size_t i = 0; i < kWordLength; ++i) {
        if (guess[i] == secret[i]) {
            feedback[i] = Mark::green;
            used[i] = true;
        }
    }
    for (std::size_t i = 0; i < kWordLength; ++i) {
        if (feedback[i] == Mark::green) {
            continue;
        }
        for (std::size_t j = 0; j < kWordLength; ++j) {
            if (!used[j] && guess[i] == secret[j]) {
                feedback[i] = Mark::yellow;
                used[j] = true;
                break;
            }
        }
    }
    return feedback;
}

std::size_t count(const Feedback& feedback, Mark wanted) {
    return static_cast<std::size_t>(std::ranges::count(feedback, wanted));
}

double closeness(const Feedback& feedback) {
    const double letters = static_cast<double>(count(feedback, Mark::green)) +
                           0.5 * static_cast<double>(count(feedback, Mark::yellow));
    return letters / static_cast<double>(kWordLength);
}

std::size_t letter_count(std::string_view word) {
    return static_cast<std::size_t>(std::ranges::count_if(word, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::optional<Fault> Game::play(const std::optional<std::string>& word) {
    if (over()) {
        return std::nullopt;
    }
    if (const auto fault = fault_of(word)) {
        if (last_move_was_invalid_) {
            phase_ = Phase::forfeited;
        }
        last_move_was_invalid_ = true;
        return fault;
    }
    last_move_was_invalid_ = false;
    guesses_.push_back({*word, mark(*word, secret_)});
    if (*word == secret_) {
        phase_ = Phase::solved;
    } else if (guesses_.size() == kMaxGuesses) {
        phase_ = Phase::out_of_guesses;
    }
    return std::nullopt;
}

std::optional<Fault> Game::fault_of(const std::optional<std::string>& word) const {
    if (!word) {
        return Fault::no_word;
    }
    if (letter_count(*word) != kWordLength) {
        return Fault::wrong_length;
    }
    if (std::ranges::find(guesses_, *word, &Guess::word) != guesses_.end()) {
        return Fault::repeated;
    }
    if (!accepted_words().contains(*word)) {
        return Fault::unknown_word;
    }
    return std::nullopt;
}

double Game::score() const {
    if (phase_ == Phase::open) {
        return 0.0;
    }
    if (phase_ == Phase::solved) {
        return 1.0;
    }
    return guesses_.empty() ? 0.0 : closeness(guesses_.back().feedback);
}

}  // namespace wordle
