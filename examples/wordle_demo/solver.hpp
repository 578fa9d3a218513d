#pragma once

#include "wordle/word_list.hpp"
#include "wordle/wordle_game.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wordle_demo {

/// A guess and its marks, as read from what the environment says.
struct Clue {
    std::string guess;
    wordle::Feedback feedback{};
};

/// Every clue in a transcript: the two lines that follow a line `Feedback:`. Anything else is
/// passed over.
[[nodiscard]] std::vector<Clue> read_clues(std::string_view transcript);

/// Whether a word could be the secret, given the clues.
[[nodiscard]] bool fits(std::string_view word, std::span<const Clue> clues);

/// The words of a list that could be the secret.
[[nodiscard]] std::vector<std::string_view> candidates(
    const wordle::WordList& words, std::span<const Clue> clues
);

/// A good next guess: of the words that could be the secret, one whose marks tell most of them
/// apart, or nearly so. Never one of `refused`: the game's list of words may be shorter than ours.
/// Empty when no word is left.
[[nodiscard]] std::string_view next_guess(
    const wordle::WordList& words,
    std::span<const Clue> clues,
    std::span<const std::string> refused = {}
);

}  // namespace wordle_demo
