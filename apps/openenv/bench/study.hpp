#pragma once

#include "bench/plan.hpp"
#include "bench/report.hpp"
#include "bench/run.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace openenv::bench {

/// The grid of the published scaling study. A request is a session of its own: connect, one reset,
/// one step that waits, close; its latency is all of that, counted from when the batch was started.
/// All sessions of a batch start together. Percentiles are over the sessions that completed.
struct StudyGrid {
    std::vector<std::size_t> sizes = {};
    std::vector<double> waits = {};  ///< seconds that the step waits
    std::size_t repetitions = 3;
    std::string wait_action = {};  ///< % stands for the seconds
};

/// One batch.
struct StudyRun {
    double wait = 0;
    std::size_t size = 0;
    std::size_t repetition = 1;
    Report report = {};
};

/// The repetitions of one place of the grid: medians, and the mean rate of success.
struct StudyCell {
    double wait = 0;
    std::size_t size = 0;
    double success_rate = 0;
    double requests_per_second = 0;
    double p50_seconds = 0;
    double p99_seconds = 0;
};

struct Study {
    std::string url = {};
    StudyGrid grid = {};
    double patience = 0;
    std::vector<StudyRun> runs = {};

    [[nodiscard]] std::vector<StudyCell> cells() const;
    /// The largest size of which at least 95 % succeeded, at one wait.
    [[nodiscard]] std::optional<std::size_t> max_batch(double wait) const;
    [[nodiscard]] bool good() const;
};

/// Called after each batch.
using StudyWatcher = std::function<void(const Study&)>;

/// Blocking: for the whole grid, in the order of waits, sizes and repetitions.
/// Errors: WrongUsage for the template; those of run().
[[nodiscard]] Study study(
    const Plan& plan,
    const StudyGrid& grid,
    const Watcher& watcher,
    const StudyWatcher& study_watcher
);

/// The object that `--json` prints.
[[nodiscard]] Json to_json(const Study& study);
/// What a person reads; safe to print.
[[nodiscard]] std::string study_text(const Study& study);

}  // namespace openenv::bench
