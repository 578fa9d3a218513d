#include "game_texts.hpp"

namespace wordle {
namespace {

std::string reason_of(Fault fault, const std::optional<std::string>& word) {
    switch (fault) {
        case Fault::no_word:
            return "The guess came in the wrong format: write one word in square brackets.";
        case Fault::wrong_length:
            return "A guess must be exactly " + std::to_string(kWordLength) + " letters long.";
        case Fault::repeated:
            return "You have already guessed '" + *word + "' in this game.";
        case Fault::unknown_word:
            return "'" + *word + "' is not an English word known to this game.";
    }
    return {};
}

std::string invalid_text(const Game& game, Fault fault, const std::optional<std::string>& word) {
    const std::string reason = reason_of(fault, word);
    if (game.over()) {
        return "The game is over: two invalid moves in a row. The last one: " + reason;
    }
    return "You attempted an invalid move. Reason: " + reason +
           " This cost no guess, but another invalid move right now ends the game.";
}

std::string outcome_text(const Game& game) {
    if (game.phase() == Phase::solved) {
        return "Congratulations! Guess " + std::to_string(game.guesses().size()) + " of " +
               std::to_string(kMaxGuesses) + " is the secret word.";
    }
    return "You have " + std::to_string(game.guesses_left()) + " guesses left.";
}

}  // namespace

std::string rules_text() {
    return "This is Wordle: find a secret English word of " + std::to_string(kWordLength) +
           " letters in at most " + std::to_string(kMaxGuesses) +
           " guesses.\n"
           "Send one guess at a time, a single word in square brackets, such as [bring].\n"
           "The answer repeats the letters of the guess and puts a mark below each of them:\n"
           "  G  green: the letter stands in the right place\n"
           "  Y  yellow: the letter occurs in the secret, but in another place\n"
           "  X  the letter does not occur, or not that often\n"
           "A guess has to be an English word that was not tried before. An invalid move costs no "
           "guess, but two of them in a row end the game.\n"
           "What is your first guess?\n";
}

std::string feedback_text(const Guess& guess) {
    std::string letters;
    std::string marks;
    for (std::size_t i = 0; i < kWordLength; ++i) {
        if (i > 0) {
            letters.push_back(' ');
            marks.push_back(' ');
        }
        letters.push_back(static_cast<char>(guess.word[i] - 'a' + 'A'));
        marks.push_back(static_cast<char>(guess.feedback[i]));
    }
    return letters + "\n" + marks;
}

std::string answer_text(
    const Game& game, const std::optional<std::string>& word, std::optional<Fault> fault
) {
    if (fault) {
        return invalid_text(game, *fault, word);
    }
    const Guess& guess = game.guesses().back();
    return "You submitted [" + guess.word + "].\nFeedback:\n" + feedback_text(guess) + "\n" +
           outcome_text(game);
}

}  // namespace wordle
