#pragma once

#include "bench/plan.hpp"
#include "bench/report.hpp"
#include "bench/run.hpp"
#include "bench/spread.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace openenv::bench {

/// The figures of A divided by those of B. Nothing where B's is zero.
struct Ratio {
    std::optional<double> steps_per_second = {};
    std::optional<double> p50 = {};
    std::optional<double> p99 = {};
    std::optional<double> server_cpu_per_step = {};
};

[[nodiscard]] Ratio ratio_of(const Report& a, const Report& b);

/// Two runs, one after the other.
struct Round {
    bool a_first = true;
    Report a = {};
    Report b = {};
};

/// Two servers that were measured in turn: what else happens on a machine changes from second to
/// second, so a ratio is taken between runs of the same round only.
struct Comparison {
    std::string a = {};
    std::string b = {};
    std::uint64_t seed = 0;
    std::vector<Round> rounds = {};

    [[nodiscard]] bool good() const;
};

/// Called after each round.
using RoundWatcher = std::function<void(const Comparison&)>;

/// Blocking: for all the rounds.  Errors: those of run().
[[nodiscard]] Comparison compare(
    const Plan& a,
    const Plan& b,
    std::size_t rounds,
    std::uint64_t seed,
    const Watcher& watcher,
    const RoundWatcher& round_watcher
);

/// The object that `--json` prints.
[[nodiscard]] Json to_json(const Comparison& comparison);
/// What a person reads; safe to print.
[[nodiscard]] std::string comparison_text(const Comparison& comparison);

}  // namespace openenv::bench
