#pragma once

#include "play.hpp"

#include <chrono>
#include <cstddef>
#include <span>

namespace wordle_demo {

/// What a run came to.
struct Totals {
    std::size_t wanted = 0;
    std::size_t finished = 0;
    std::size_t solved = 0;
    std::size_t guesses = 0;  ///< of the solved games
    std::size_t steps = 0;

    /// Every game was finished, and at least three in four were solved.
    [[nodiscard]] bool good() const { return finished == wanted && 4 * solved >= 3 * wanted; }
};

/// `wanted`: how many games the sessions should have played together.
[[nodiscard]] Totals total(std::span<const SessionResult> sessions, std::size_t wanted);

/// One line per game.
void print_episodes(std::span<const SessionResult> sessions);

/// Times per session, then the totals.
void print_summary(
    std::span<const SessionResult> sessions, const Totals& totals, std::chrono::nanoseconds elapsed
);

/// The time that the given part (0 to 1) of the times do not exceed; zero when there are none.
[[nodiscard]] std::chrono::nanoseconds percentile(
    std::vector<std::chrono::nanoseconds> times, double part
);

}  // namespace wordle_demo
