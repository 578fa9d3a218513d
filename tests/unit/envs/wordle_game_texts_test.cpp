#include "wordle/game_texts.hpp"
#include "wordle/transcript.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace wordle {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string answer_to(Game& game, const std::optional<std::string>& word) {
    const auto fault = game.play(word);
    return answer_text(game, word, fault);
}

// What these tests pin is what clients match on; README.md tells which client reads what.

TEST(WordleGameTexts, GiveFeedbackInThreeLinesBehindTheWord) {
    Game game("crane");
    EXPECT_EQ(
        answer_to(game, "cargo"),
        "You submitted [cargo].\nFeedback:\nC A R G O\nG Y Y X X\nYou have 5 guesses left."
    );
}

TEST(WordleGameTexts, CongratulateInTheSameLayout) {
    Game game("crane");
    answer_to(game, "cargo");
    EXPECT_EQ(
        answer_to(game, "crane"),
        "You submitted [crane].\nFeedback:\nC R A N E\nG G G G G\n"
        "Congratulations! Guess 2 of 6 is the secret word."
    );
}

TEST(WordleGameTexts, CountGuessesDownToNone) {
    Game game("crane");
    for (const char* word : {"speed", "moist", "crate", "crave", "craze"}) {
        answer_to(game, word);
    }
    EXPECT_THAT(answer_to(game, "cargo"), EndsWith("\nG Y Y X X\nYou have 0 guesses left."));
}

TEST(WordleGameTexts, TellWhyAMoveIsInvalid) {
    const auto answer_to_second = [](const std::optional<std::string>& word) {
        Game game("crane");
        answer_to(game, "cargo");
        return answer_to(game, word);
    };
    const std::string start = "You attempted an invalid move. Reason: ";
    EXPECT_THAT(answer_to_second(std::nullopt), StartsWith(start));
    EXPECT_THAT(answer_to_second(std::nullopt), HasSubstr("wrong format"));
    EXPECT_THAT(answer_to_second("cranes"), HasSubstr("must be exactly 5 letters"));
    EXPECT_THAT(answer_to_second("cargo"), HasSubstr("You have already guessed 'cargo'"));
    EXPECT_THAT(answer_to_second("zzzzz"), HasSubstr("'zzzzz' is not an English word"));
}

TEST(WordleGameTexts, AForfeitIsNoForgivenMove) {
    Game game("crane");
    answer_to(game, "zzzzz");
    const std::string answer = answer_to(game, "yyyyy");
    EXPECT_THAT(answer, HasSubstr("'yyyyy' is not an English word"));
    EXPECT_THAT(answer, Not(HasSubstr("You attempted an invalid move")));
}

TEST(WordleGameTexts, RulesCannotBeTakenForFeedback) {
    EXPECT_THAT(rules_text(), Not(HasSubstr("Feedback:")));
    EXPECT_THAT(rules_text(), Not(HasSubstr("[GAME]")));
    EXPECT_THAT(rules_text(), HasSubstr("square brackets"));
}

TEST(WordleTranscript, TagsEveryEntry) {
    Transcript transcript;
    EXPECT_EQ(transcript.text(), "");
    transcript.add("the rules\n");
    EXPECT_EQ(transcript.text(), "\n[GAME] the rules\n");
    transcript.add("[crane]");
    EXPECT_EQ(transcript.text(), "\n[GAME] the rules\n\n[GAME] [crane]");
}

}  // namespace
}  // namespace wordle
