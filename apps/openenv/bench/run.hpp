#pragma once

#include "bench/plan.hpp"
#include "bench/report.hpp"

#include <cstdint>
#include <functional>

namespace openenv::bench {

/// How a run is going.
struct Progress {
    Nanoseconds elapsed{0};
    std::uint64_t sessions = 0;  ///< that are to be
    std::uint64_t open = 0;      ///< at this moment
    std::uint64_t steps = 0;     ///< answered so far, measured or not
    std::uint64_t failures = 0;  ///< sessions that failed
};

/// Called a few times a second.
using Watcher = std::function<void(const Progress&)>;

/// Opens the sessions, steps them as the plan says, closes them, and reports.
/// Errors: std::runtime_error for a server that is not the owner of the port; everything that
/// happens to sessions is counted in the report.
/// Blocking: for the whole run, on the calling thread alone. No wait is longer than the patience.
[[nodiscard]] Report run(const Plan& plan, const Watcher& watcher = {});

}  // namespace openenv::bench
