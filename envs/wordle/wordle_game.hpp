#pragma once

#include "word_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The rules of Wordle and nothing else: no texts, no transport, no clock, no randomness.
namespace wordle {

inline constexpr std::size_t kMaxGuesses = 6;

/// What one letter of a guess was worth. The values are the letters that players see.
enum class Mark : char { green = 'G', yellow = 'Y', absent = 'X' };

/// One mark per letter of a guess.
using Feedback = std::array<Mark, kWordLength>;

/// Greens are given first; then, from left to right, a yellow to each other letter for which the
/// secret still has one that no earlier mark has used up.
/// Precondition: both words have five letters.
[[nodiscard]] Feedback mark(std::string_view guess, std::string_view secret);

[[nodiscard]] std::size_t count(const Feedback& feedback, Mark wanted);

/// How near a guess came, 0 to 1: a green counts as one letter, a yellow as half.
[[nodiscard]] double closeness(const Feedback& feedback);

/// Length in characters, of UTF-8.
[[nodiscard]] std::size_t letter_count(std::string_view word);

/// A guess that the game took.
struct Guess {
    std::string word;
    Feedback feedback{};
};

/// Why a move is invalid.
enum class Fault : std::uint8_t { no_word, wrong_length, repeated, unknown_word };

enum class Phase : std::uint8_t {
    open,
    solved,
    out_of_guesses,
    forfeited,  ///< by a second invalid move in a row
};

/// One round: a secret, up to six guesses, one invalid move forgiven at a time.
/// Thread: a plain value; no sharing.
class Game {
public:
    /// Precondition: five letters a to z; `secret_words()` has some.
    explicit Game(std::string_view secret) : secret_(secret) {}

    /// Plays the word that was read from the player's message, if any, and returns what was wrong
    /// with it. An invalid move costs no guess, but the second in a row ends the game. Once the
    /// game is over nothing changes any more.
    std::optional<Fault> play(const std::optional<std::string>& word);

    [[nodiscard]] Phase phase() const noexcept { return phase_; }
    [[nodiscard]] bool over() const noexcept { return phase_ != Phase::open; }
    [[nodiscard]] const std::vector<Guess>& guesses() const noexcept { return guesses_; }
    [[nodiscard]] std::size_t guesses_left() const noexcept {
        return kMaxGuesses - guesses_.size();
    }

    /// Moves that counted: every guess taken, and the move that forfeited the game.
    [[nodiscard]] std::size_t turn() const noexcept {
        return guesses_.size() + (phase_ == Phase::forfeited ? 1 : 0);
    }

    /// 0 while the game is open, 1 when solved, otherwise the closeness of the last guess.
    [[nodiscard]] double score() const;

private:
    [[nodiscard]] std::optional<Fault> fault_of(const std::optional<std::string>& word) const;

    std::string secret_;
    std::vector<Guess> guesses_;
    bool last_move_was_invalid_ = false;
    Phase phase_ = Phase::open;
};

}  // namespace wordle
