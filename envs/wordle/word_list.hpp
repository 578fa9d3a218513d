#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wordle {

inline constexpr std::size_t kWordLength = 5;

/// Words of five letters in alphabetical order, laid out as one text in which a blank follows every
/// word. It is a view: the text outlives it.
class WordList {
public:
    /// Compiles only if the words are lower-case, sorted and all different.
    consteval explicit WordList(std::string_view text) : text_(text) {
        // Plain pointers and numbers: clang allows a constant expression about a million steps.
        std::uint64_t previous = 0;
        const char* const end = text.data() + text.size();
        for (const char* at = text.data(); at != end; at += kStride) {
            std::uint64_t word = 0;
            for (std::size_t i = 0; i < kWordLength; ++i) {
                if (at[i] < 'a' || at[i] > 'z') {
                    throw "words are made of five letters a to z";
                }
                word = word * 32 + static_cast<std::uint64_t>(at[i] - 'a' + 1);
            }
            if (at[kWordLength] != ' ') {
                throw "a blank follows every word";
            }
            if (word <= previous) {
                throw "words are sorted, each only once";
            }
            previous = word;
        }
    }

    [[nodiscard]] constexpr std::size_t size() const noexcept { return text_.size() / kStride; }

    /// Precondition: index < size().
    [[nodiscard]] constexpr std::string_view operator[](std::size_t index) const {
        return text_.substr(index * kStride, kWordLength);
    }

    [[nodiscard]] constexpr bool contains(std::string_view word) const {
        std::size_t first = 0;
        std::size_t count = size();
        while (count > 0) {
            const std::size_t half = count / 2;
            if ((*this)[first + half] < word) {
                first += half + 1;
                count -= half + 1;
            } else {
                count = half;
            }
        }
        return first < size() && (*this)[first] == word;
    }

private:
    static constexpr std::size_t kStride = kWordLength + 1;
    std::string_view text_;
};

/// What the game may ask for. Every one of them is an accepted word too.
[[nodiscard]] const WordList& secret_words() noexcept;

/// What a player may guess.
[[nodiscard]] const WordList& accepted_words() noexcept;

}  // namespace wordle
