#include "wordle/word_list.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace wordle {
namespace {

// That the lists are sorted, free of doubles and made of five letters is checked by the compiler.

TEST(WordleWordList, FindsEveryWordItHolds) {
    const WordList& words = accepted_words();
    for (std::size_t i = 0; i < words.size(); ++i) {
        ASSERT_TRUE(words.contains(words[i])) << words[i];
    }
}

TEST(WordleWordList, FindsNothingElse) {
    const WordList& words = accepted_words();
    for (const char* word : {"", "a", "aaaaa", "zzzzz", "crane ", "Crane", "crabe", "zzzzzz"}) {
        EXPECT_FALSE(words.contains(word)) << word;
    }
}

TEST(WordleWordList, EverySecretCanBeGuessed) {
    EXPECT_GE(secret_words().size(), 600U);
    for (std::size_t i = 0; i < secret_words().size(); ++i) {
        EXPECT_TRUE(accepted_words().contains(secret_words()[i])) << secret_words()[i];
    }
}

TEST(WordleWordList, AcceptsTheUsualOpeners) {
    for (const char* word : {"adieu", "arise", "audio", "crane", "raise", "salet", "slate"}) {
        EXPECT_TRUE(accepted_words().contains(word)) << word;
    }
}

}  // namespace
}  // namespace wordle
