#include "wordle/game_texts.hpp"
#include "wordle/transcript.hpp"
#include "wordle_demo/solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace wordle_demo {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Clue clue(std::string_view guess, std::string_view secret) {
    return {std::string(guess), wordle::mark(guess, secret)};
}

TEST(WordleSolver, ReadsNoClueFromTheRules) {
    EXPECT_THAT(read_clues(wordle::rules_text()), IsEmpty());
    EXPECT_THAT(read_clues(""), IsEmpty());
}

TEST(WordleSolver, ReadsEveryClueOfATranscript) {
    wordle::Transcript transcript;
    transcript.add(wordle::rules_text());
    wordle::Game game("crane");
    for (const std::string word : {"cargo", "zzzzz", "house"}) {
        transcript.add("[" + word + "]");
        const auto fault = game.play(word);
        transcript.add(wordle::answer_text(game, word, fault));
    }

    const auto clues = read_clues(transcript.text());

    ASSERT_THAT(clues, SizeIs(2));
    EXPECT_EQ(clues[0].guess, "cargo");
    EXPECT_EQ(clues[0].feedback, wordle::mark("cargo", "crane"));
    EXPECT_EQ(clues[1].guess, "house");
    EXPECT_EQ(clues[1].feedback, wordle::mark("house", "crane"));
}

TEST(WordleSolver, PassesOverBrokenFeedback) {
    EXPECT_THAT(read_clues("Feedback:"), IsEmpty());
    EXPECT_THAT(read_clues("Feedback:\nC R A N E"), IsEmpty());
    EXPECT_THAT(read_clues("Feedback:\nC R A N E\nG G G G"), IsEmpty());
    EXPECT_THAT(read_clues("Feedback:\nC R A N E\nG G G G B"), IsEmpty());
    EXPECT_THAT(read_clues("Feedback:\nc r a n e\nG G G G G"), IsEmpty());
    EXPECT_THAT(read_clues("Feedback:\nC_R_A_N_E\nG G G G G"), IsEmpty());
}

TEST(WordleSolver, AWordFitsWhenItWouldHaveGivenTheSameMarks) {
    const std::vector<Clue> clues{clue("cargo", "crane")};
    EXPECT_TRUE(fits("crane", clues));
    EXPECT_TRUE(fits("crank", clues));
    EXPECT_FALSE(fits("cargo", clues)) << "it would have been all green";
    EXPECT_FALSE(fits("ocean", clues)) << "c is green, so it stays first";
}

TEST(WordleSolver, CountsLettersWhenItFilters) {
    // One e of "speed" is in the secret and the other is not: a word with two e cannot be it.
    const std::vector<Clue> clues{clue("speed", "crane")};
    EXPECT_FALSE(fits("eerie", clues));
    EXPECT_TRUE(fits("crane", clues));
}

TEST(WordleSolver, EveryClueNarrowsTheCandidates) {
    std::vector<Clue> clues{clue("slate", "crane")};
    const auto before = candidates(wordle::accepted_words(), clues);
    clues.push_back(clue("grace", "crane"));
    const auto after = candidates(wordle::accepted_words(), clues);

    EXPECT_LT(after.size(), before.size());
    EXPECT_THAT(after, Contains("crane"));
    EXPECT_THAT(after, Not(Contains("grace")));
}

TEST(WordleSolver, GuessesWhatIsLeft) {
    const std::vector<Clue> all_green{clue("crane", "crane")};
    EXPECT_EQ(next_guess(wordle::accepted_words(), all_green), "crane");
}

TEST(WordleSolver, NeverRepeatsARefusedWord) {
    const std::vector<Clue> clues{clue("cargo", "crane")};
    const auto first = next_guess(wordle::accepted_words(), clues);
    const std::vector<std::string> refused{std::string(first)};
    const auto second = next_guess(wordle::accepted_words(), clues, refused);
    EXPECT_NE(first, second);
    EXPECT_TRUE(fits(second, clues));
}

TEST(WordleSolver, GivesUpWhenNothingFits) {
    const std::vector<Clue> impossible{clue("slate", "slate"), clue("crane", "crane")};
    EXPECT_THAT(next_guess(wordle::accepted_words(), impossible), IsEmpty());
}

TEST(WordleSolver, FindsMostSecrets) {
    constexpr std::size_t kEvery = 16;
    std::size_t games = 0;
    std::size_t solved = 0;
    for (std::size_t i = 0; i < wordle::secret_words().size(); i += kEvery) {
        wordle::Game game(wordle::secret_words()[i]);
        std::vector<Clue> clues;
        while (!game.over()) {
            game.play(std::string(next_guess(wordle::accepted_words(), clues)));
            clues.push_back({game.guesses().back().word, game.guesses().back().feedback});
        }
        ++games;
        solved += game.phase() == wordle::Phase::solved ? 1U : 0U;
    }
    EXPECT_GT(10 * solved, 9 * games) << solved << " of " << games;
}

}  // namespace
}  // namespace wordle_demo
