#include "wordle/wordle_game.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace wordle {
namespace {

std::string marks(std::string_view guess, std::string_view secret) {
    std::string text;
    for (const Mark one : mark(guess, secret)) {
        text.push_back(static_cast<char>(one));
    }
    return text;
}

TEST(WordleMark, GivesGreenForTheRightPlace) {
    EXPECT_EQ(marks("crane", "crane"), "GGGGG");
    EXPECT_EQ(marks("crate", "crane"), "GGGXG");
}

TEST(WordleMark, GivesYellowForTheWrongPlace) {
    EXPECT_EQ(marks("cargo", "crane"), "GYYXX");
}

TEST(WordleMark, UsesUpEveryLetterOfTheSecretOnce) {
    EXPECT_EQ(marks("speed", "erase"), "YXYYX");
    EXPECT_EQ(marks("eerie", "crepe"), "YXYXG");
    EXPECT_EQ(marks("allot", "label"), "YYYXX");
}

TEST(WordleMark, TakesGreensFirstEvenWhenTheyComeLater) {
    // The only l of "cloud" belongs to the green; the first l of the guess finds none left.
    EXPECT_EQ(marks("llama", "cloud"), "XGXXX");
    EXPECT_EQ(marks("geese", "these"), "XXGGG");
}

TEST(WordleMark, GivesYellowsFromLeftToRight) {
    EXPECT_EQ(marks("onion", "ghost"), "YXXXX");
}

TEST(WordleCloseness, CountsAYellowAsHalfALetter) {
    EXPECT_DOUBLE_EQ(closeness(mark("cargo", "crane")), 0.4);
    EXPECT_DOUBLE_EQ(closeness(mark("speed", "erase")), 0.3);
    EXPECT_DOUBLE_EQ(closeness(mark("crane", "crane")), 1.0);
    EXPECT_DOUBLE_EQ(closeness(mark("moist", "crane")), 0.0);
}

TEST(WordleGame, StartsOpenAndWorthNothing) {
    const Game game("crane");
    EXPECT_EQ(game.phase(), Phase::open);
    EXPECT_EQ(game.guesses_left(), 6U);
    EXPECT_EQ(game.turn(), 0U);
    EXPECT_EQ(game.score(), 0.0);
}

TEST(WordleGame, IsSolvedByTheSecret) {
    Game game("crane");
    EXPECT_EQ(game.play("cargo"), std::nullopt);
    EXPECT_EQ(game.score(), 0.0) << "no reward before the end";
    EXPECT_EQ(game.play("crane"), std::nullopt);
    EXPECT_EQ(game.phase(), Phase::solved);
    EXPECT_EQ(game.score(), 1.0);
    EXPECT_EQ(game.turn(), 2U);
}

TEST(WordleGame, NamesWhatIsWrongWithAMove) {
    Game game("crane");
    EXPECT_EQ(game.play(std::nullopt), Fault::no_word);
    EXPECT_EQ(game.play("cargo"), std::nullopt);
    EXPECT_EQ(game.play("cranes"), Fault::wrong_length);
    EXPECT_EQ(game.play("house"), std::nullopt);
    EXPECT_EQ(game.play("cargo"), Fault::repeated);
    EXPECT_EQ(game.play("moist"), std::nullopt);
    EXPECT_EQ(game.play("zzzzz"), Fault::unknown_word);
    EXPECT_EQ(game.guesses().size(), 3U);
    EXPECT_FALSE(game.over());
}

TEST(WordleGame, CountsLettersNotBytes) {
    Game game("crane");
    EXPECT_EQ(
        game.play("gl\xC3\xBC"
                  "ck"),
        Fault::unknown_word
    ) << "five letters, six bytes";
}

TEST(WordleGame, AnInvalidMoveCostsNoGuess) {
    Game game("crane");
    EXPECT_EQ(game.play("zzzzz"), Fault::unknown_word);
    EXPECT_EQ(game.guesses_left(), 6U);
    EXPECT_EQ(game.turn(), 0U);
}

TEST(WordleGame, ASecondInvalidMoveInARowForfeits) {
    Game game("erase");
    EXPECT_EQ(game.play("speed"), std::nullopt);
    EXPECT_EQ(game.play("zzzzz"), Fault::unknown_word);
    EXPECT_EQ(game.play("speed"), Fault::repeated);
    EXPECT_EQ(game.phase(), Phase::forfeited);
    EXPECT_DOUBLE_EQ(game.score(), 0.3);
    EXPECT_EQ(game.turn(), 2U);
}

TEST(WordleGame, ForfeitingWithoutAGuessIsWorthNothing) {
    Game game("erase");
    game.play(std::nullopt);
    game.play(std::nullopt);
    EXPECT_EQ(game.phase(), Phase::forfeited);
    EXPECT_EQ(game.score(), 0.0);
}

TEST(WordleGame, AValidMoveForgivesTheInvalidOneBefore) {
    Game game("crane");
    game.play("zzzzz");
    game.play("cargo");
    game.play("zzzzz");
    EXPECT_FALSE(game.over());
}

TEST(WordleGame, EndsWithTheSixthGuessScoredByThatGuess) {
    Game game("crane");
    for (const char* word : {"speed", "moist", "crate", "crave", "craze"}) {
        EXPECT_EQ(game.play(word), std::nullopt);
        EXPECT_FALSE(game.over());
    }
    EXPECT_EQ(game.play("cargo"), std::nullopt);
    EXPECT_EQ(game.phase(), Phase::out_of_guesses);
    EXPECT_EQ(game.guesses_left(), 0U);
    EXPECT_DOUBLE_EQ(game.score(), 0.4) << "the last guess counts, not the best";
}

TEST(WordleGame, StaysAsItIsOnceOver) {
    Game game("crane");
    game.play(std::nullopt);
    game.play(std::nullopt);
    EXPECT_EQ(game.play("crane"), std::nullopt);
    EXPECT_EQ(game.phase(), Phase::forfeited);
    EXPECT_TRUE(game.guesses().empty());
    EXPECT_EQ(game.score(), 0.0);
}

}  // namespace
}  // namespace wordle
