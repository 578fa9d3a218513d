#pragma once

#include "wordle_game.hpp"

#include <optional>
#include <string>

/// What the game says to the player. Clients match on some of these words: see README.md.
namespace wordle {

/// The rules, told at the start of a game.
[[nodiscard]] std::string rules_text();

/// The answer to a move that was played just now: `word` is what the player's message named,
/// `fault` what `Game::play` returned.
[[nodiscard]] std::string answer_text(
    const Game& game, const std::optional<std::string>& word, std::optional<Fault> fault
);

/// The letters of a guess and, on a second line, their marks: "C R A N E\nG Y X X X".
[[nodiscard]] std::string feedback_text(const Guess& guess);

}  // namespace wordle
