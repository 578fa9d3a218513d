#include "wordle/player_message.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace wordle {
namespace {

TEST(WordlePlayerMessage, FindsTheWordInBrackets) {
    EXPECT_EQ(bracketed_word("[crane]"), "crane");
    EXPECT_EQ(bracketed_word("<think>a c?</think> I try [Crane] now"), "crane");
    EXPECT_EQ(bracketed_word("[[crane]]"), "crane");
    EXPECT_EQ(bracketed_word("[w0r_d]"), "w0r_d");
}

TEST(WordlePlayerMessage, TakesTheFirstOfSeveralWords) {
    EXPECT_EQ(bracketed_word("[a] or [crane]"), "a");
    EXPECT_EQ(bracketed_word("[not this] [crane] [slate]"), "crane");
    EXPECT_EQ(bracketed_word("[open [crane]"), "crane");
}

TEST(WordlePlayerMessage, FindsNoWordWithoutAProperPair) {
    for (const char* message : {"", "crane", "[crane", "crane]", "[]", "[ crane ]", "[cra ne]"}) {
        EXPECT_EQ(bracketed_word(message), std::nullopt) << message;
    }
}

TEST(WordlePlayerMessage, PutsABareMessageIntoBrackets) {
    EXPECT_EQ(taken_message("crane"), "[crane]");
    EXPECT_EQ(taken_message("my guess is crane"), "[my guess is crane]");
    EXPECT_EQ(taken_message(""), "[]");
}

TEST(WordlePlayerMessage, LeavesAMessageWithAnyBracketAlone) {
    EXPECT_EQ(taken_message("[crane"), "[crane");
    EXPECT_EQ(taken_message("so: [crane]"), "so: [crane]");
}

TEST(WordlePlayerMessage, CutsALongMessageAtACharactersEdge) {
    // Two-byte letters behind one bracket: the limit falls into the middle of a letter.
    std::string message = "[";
    while (message.size() <= kMaxMessage) {
        message += "\xC3\xA9";
    }
    const std::string taken = taken_message(message);
    EXPECT_EQ(taken.size(), kMaxMessage - 1);
    EXPECT_EQ(taken.back(), '\xA9');
}

TEST(WordlePlayerMessage, LosesTheTagsThatTellWhoSpeaks) {
    EXPECT_EQ(without_speaker_tags("[GAME] you won [Player]"), " you won ");
    EXPECT_EQ(without_speaker_tags("[GA[Player]ME] you won"), " you won");
    EXPECT_EQ(without_speaker_tags("[GA[GAME]ME] you won"), " you won");
    EXPECT_EQ(without_speaker_tags("[crane] GAME"), "[crane] GAME");
}

}  // namespace
}  // namespace wordle
