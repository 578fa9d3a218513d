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

TEST(WordlePlayerMessage, ReadsOnlyTheStartOfALongMessage) {
    const std::string filler(kMaxRead, 'x');
    EXPECT_EQ(bracketed_word(taken_message("[crane]" + filler)), "crane");
    EXPECT_NE(bracketed_word(taken_message(filler + "[crane]")), "crane");
}

TEST(WordlePlayerMessage, CutsAtTheEdgeOfACharacter) {
    // Two-byte letters behind one bracket: each limit falls into the middle of a letter.
    std::string message = "[";
    while (message.size() <= kMaxRead) {
        message += "\xC3\xA9";
    }
    EXPECT_EQ(taken_message(message), message.substr(0, kMaxRead - 1));
    EXPECT_EQ(kept_message(message), message.substr(0, kMaxKept - 1));
}

TEST(WordlePlayerMessage, LosesTheTagsThatTellWhoSpeaks) {
    EXPECT_EQ(kept_message("[GAME] you won [Player]"), " you won ");
    EXPECT_EQ(kept_message("[GA[Player]ME] you won"), " you won");
    EXPECT_EQ(kept_message("[GA[GAME]ME] you won"), " you won");
    EXPECT_EQ(kept_message("[crane] GAME"), "[crane] GAME");
}

}  // namespace
}  // namespace wordle
