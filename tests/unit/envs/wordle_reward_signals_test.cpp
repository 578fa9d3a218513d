#include "wordle/reward_signals.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace wordle {
namespace {

class WordleSignals : public testing::Test {
protected:
    RewardSignals after(const std::optional<std::string>& word) {
        game_.play(word);
        return counter_.after_move(game_, word);
    }

private:
    Game game_{"crane"};
    SignalCounter counter_;
};

TEST_F(WordleSignals, CountMarksAsPartsOfTheWord) {
    const RewardSignals signals = after("cargo");
    EXPECT_DOUBLE_EQ(signals.greens, 0.2);
    EXPECT_DOUBLE_EQ(signals.yellows, 0.4);
    EXPECT_DOUBLE_EQ(signals.repetitions, 1.0);
    EXPECT_DOUBLE_EQ(signals.correct, 0.0);
}

TEST_F(WordleSignals, TellASolvedGame) {
    const RewardSignals signals = after("crane");
    EXPECT_DOUBLE_EQ(signals.greens, 1.0);
    EXPECT_DOUBLE_EQ(signals.yellows, 0.0);
    EXPECT_DOUBLE_EQ(signals.correct, 1.0);
}

TEST_F(WordleSignals, PunishRepeatedWordsEvenInvalidOnes) {
    EXPECT_DOUBLE_EQ(after("zzzzz").repetitions, 1.0);
    EXPECT_DOUBLE_EQ(after("cargo").repetitions, 1.0);
    EXPECT_DOUBLE_EQ(after("zzzzz").repetitions, 0.0);
    EXPECT_DOUBLE_EQ(after("house").repetitions, 1.0);
    EXPECT_DOUBLE_EQ(after("zzzzz").repetitions, -1.0);
}

TEST_F(WordleSignals, KeepTheLatestFeedbackThroughAnInvalidMove) {
    after("cargo");
    const RewardSignals signals = after("zzzzz");
    EXPECT_DOUBLE_EQ(signals.greens, 0.2);
    EXPECT_DOUBLE_EQ(signals.yellows, 0.4);
}

TEST_F(WordleSignals, AreEmptyBeforeTheFirstGuess) {
    const RewardSignals signals = after(std::nullopt);
    EXPECT_DOUBLE_EQ(signals.greens, 0.0);
    EXPECT_DOUBLE_EQ(signals.yellows, 0.0);
    EXPECT_DOUBLE_EQ(signals.repetitions, 1.0);
}

}  // namespace
}  // namespace wordle
