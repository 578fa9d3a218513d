#include "report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace wordle_demo {
namespace {

using Microseconds = std::chrono::duration<double, std::micro>;
using Seconds = std::chrono::duration<double>;

std::string outcome_of(const Episode& episode) {
    if (!episode.finished) {
        return "not finished";
    }
    if (!episode.solved) {
        return fmt::format("not found, last guess {}", episode.last_guess);
    }
    return fmt::format("{} in {} guesses", episode.last_guess, episode.guesses);
}

}  // namespace

std::chrono::nanoseconds percentile(std::vector<std::chrono::nanoseconds> times, double part) {
    if (times.empty()) {
        return {};
    }
    const double rank = std::ceil(part * static_cast<double>(times.size()));
    const auto position = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
    const auto wanted = times.begin() + position;
    std::ranges::nth_element(times, wanted);
    return *wanted;
}

Totals total(std::span<const SessionResult> sessions, std::size_t wanted) {
    Totals totals{.wanted = wanted};
    for (const SessionResult& session : sessions) {
        totals.steps += session.step_times.size();
        for (const Episode& episode : session.episodes) {
            totals.finished += episode.finished ? 1 : 0;
            if (episode.solved) {
                ++totals.solved;
                totals.guesses += episode.guesses;
            }
        }
    }
    return totals;
}

void print_episodes(std::span<const SessionResult> sessions) {
    fmt::print(
        "{:>7}  {:>7}  {:>10}  {:<32}  {:>6}\n", "session", "episode", "seed", "secret", "reward"
    );
    for (std::size_t s = 0; s < sessions.size(); ++s) {
        for (std::size_t e = 0; e < sessions[s].episodes.size(); ++e) {
            const Episode& episode = sessions[s].episodes[e];
            fmt::print(
                "{:>7}  {:>7}  {:>10}  {:<32}  {:>6.2f}\n",
                s + 1,
                e + 1,
                episode.seed,
                outcome_of(episode),
                episode.reward
            );
        }
    }
    fmt::print("\n");
}

void print_summary(
    std::span<const SessionResult> sessions, const Totals& totals, std::chrono::nanoseconds elapsed
) {
    fmt::print("{:>7}  {:>6}  {:>12}  {:>12}\n", "session", "steps", "median (us)", "p99 (us)");
    for (std::size_t s = 0; s < sessions.size(); ++s) {
        const auto& times = sessions[s].step_times;
        fmt::print(
            "{:>7}  {:>6}  {:>12.0f}  {:>12.0f}\n",
            s + 1,
            times.size(),
            Microseconds(percentile(times, 0.5)).count(),
            Microseconds(percentile(times, 0.99)).count()
        );
        if (sessions[s].failure) {
            fmt::print("         failed: {}\n", *sessions[s].failure);
        }
    }
    const auto solved = static_cast<double>(std::max<std::size_t>(totals.solved, 1));
    fmt::print(
        "\n{} of {} games finished, {} solved in {:.2f} guesses on average; {} steps in {:.2f} s\n",
        totals.finished,
        totals.wanted,
        totals.solved,
        static_cast<double>(totals.guesses) / solved,
        totals.steps,
        Seconds(elapsed).count()
    );
}

}  // namespace wordle_demo
