#include "solver.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>

namespace wordle_demo {
namespace {

using wordle::Feedback;
using wordle::kWordLength;
using wordle::Mark;

constexpr std::string_view kOpener = "slate";

// Weighing every word against every other is quadratic; so many of them do nearly as well.
constexpr std::size_t kMostWeighed = 64;

/// Takes one line off the front of a text.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// The five characters of a line like "C R A N E".
std::optional<std::string> spaced_characters(std::string_view line) {
    if (line.size() != 2 * kWordLength - 1) {
        return std::nullopt;
    }
    std::string characters;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (i % 2 == 0) {
            characters.push_back(line[i]);
        } else if (line[i] != ' ') {
            return std::nullopt;
        }
    }
    return characters;
}

std::optional<std::string> read_letters(std::string_view line) {
    auto letters = spaced_characters(line);
    if (!letters || !std::ranges::all_of(*letters, [](char c) { return 'A' <= c && c <= 'Z'; })) {
        return std::nullopt;
    }
    std::ranges::transform(*letters, letters->begin(), [](char c) {
        return static_cast<char>(c - 'A' + 'a');
    });
    return letters;
}

std::optional<Feedback> read_marks(std::string_view line) {
    const auto characters = spaced_characters(line);
    if (!characters || characters->find_first_not_of("GYX") != std::string::npos) {
        return std::nullopt;
    }
    Feedback feedback;
    std::ranges::transform(*characters, feedback.begin(), [](char c) {
        return static_cast<Mark>(c);
    });
    return feedback;
}

constexpr std::size_t kFeedbacks = 3 * 3 * 3 * 3 * 3;

std::size_t number_of(const Feedback& feedback) {
    std::size_t number = 0;
    for (const Mark mark : feedback) {
        const std::size_t digit = mark == Mark::green ? 2U : mark == Mark::yellow ? 1U : 0U;
        number = number * 3 + digit;
    }
    return number;
}

/// How many words are left on average after a guess, times the number of words.
std::size_t expected_left(std::string_view guess, std::span<const std::string_view> words) {
    std::array<std::size_t, kFeedbacks> groups{};
    for (const std::string_view word : words) {
        ++groups[number_of(wordle::mark(guess, word))];
    }
    std::size_t sum = 0;
    for (const std::size_t group : groups) {
        sum += group * group;
    }
    return sum;
}

}  // namespace

std::vector<Clue> read_clues(std::string_view transcript) {
    std::vector<Clue> clues;
    while (!transcript.empty()) {
        if (take_line(transcript) != "Feedback:") {
            continue;
        }
        auto guess = read_letters(take_line(transcript));
        const auto feedback = read_marks(take_line(transcript));
        if (guess && feedback) {
            clues.push_back({std::move(*guess), *feedback});
        }
    }
    return clues;
}

bool fits(std::string_view word, std::span<const Clue> clues) {
    return std::ranges::all_of(clues, [word](const Clue& clue) {
        return wordle::mark(clue.guess, word) == clue.feedback;
    });
}

std::vector<std::string_view> candidates(
    const wordle::WordList& words, std::span<const Clue> clues
) {
    std::vector<std::string_view> fitting;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (fits(words[i], clues)) {
            fitting.push_back(words[i]);
        }
    }
    return fitting;
}

std::string_view next_guess(
    const wordle::WordList& words, std::span<const Clue> clues, std::span<const std::string> refused
) {
    if (clues.empty() && refused.empty()) {
        return kOpener;
    }
    auto possible = candidates(words, clues);
    std::erase_if(possible, [refused](std::string_view word) {
        return std::ranges::find(refused, word) != refused.end();
    });
    std::string_view best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    const std::size_t stride = possible.size() / kMostWeighed + 1;
    for (std::size_t i = 0; i < possible.size(); i += stride) {
        if (const std::size_t left = expected_left(possible[i], possible); left < fewest) {
            fewest = left;
            best = possible[i];
        }
    }
    return best;
}

}  // namespace wordle_demo
