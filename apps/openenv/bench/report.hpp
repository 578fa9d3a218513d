#pragma once

#include "bench/clock.hpp"
#include "bench/failure_tally.hpp"
#include "bench/histogram.hpp"

#include <openenv/base/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace openenv::bench {

/// What a server's process used. Threads and memory are the most that was seen.
struct ServerFigures {
    pid_t process = 0;
    Nanoseconds cpu{0};
    std::uint64_t threads = 0;
    std::uint64_t resident_kib = 0;
};

/// What one run of the load generator found.
struct Report {
    std::string url = {};
    std::uint64_t asked = 0;      ///< sessions that were to be
    std::uint64_t opened = 0;     ///< that were reset once
    std::uint64_t completed = 0;  ///< that did everything, the goodbye included
    std::uint64_t connections = 0;
    bool open_loop = false;
    std::uint64_t steps = 0;     ///< answered while it was measured
    std::uint64_t episodes = 0;  ///< resets answered, the first ones included
    std::uint64_t backlog = 0;   ///< steps that were due in time and not sent by the end
    Nanoseconds elapsed{0};      ///< while it was measured
    Nanoseconds whole{0};        ///< from the first session's start to the last one's end
    Histogram connect = {};
    Histogram reset = {};
    Histogram step = {};
    Histogram session = {};
    Nanoseconds client_cpu{0};
    std::optional<ServerFigures> server = std::nullopt;
    FailureTally failures = {};
    std::vector<std::string> problems = {};  ///< that make the numbers void

    [[nodiscard]] bool good() const;
    [[nodiscard]] double success_rate() const;
    [[nodiscard]] double steps_per_second() const;
    [[nodiscard]] double sessions_per_second() const;
    /// Nothing where no step was measured.
    [[nodiscard]] std::optional<double> microseconds_per_step(Nanoseconds cpu) const;
};

// What is the same in all reports.

/// A number without digits that mean nothing.
[[nodiscard]] double rounded(double value, double to = 0.001);
/// `{"count":1,"mean":...,"p50":...,"p90":...,"p99":...,"p999":...,"max":...}`, in microseconds.
[[nodiscard]] Json to_json(const Histogram& histogram);
[[nodiscard]] Json to_json(const FailureTally& failures);

/// The object that `--json` prints.
[[nodiscard]] Json to_json(const Report& report);

}  // namespace openenv::bench
