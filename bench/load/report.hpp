#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace openenv::bench {

/// What one run of the load generator found.
struct Report {
    std::uint64_t sessions = 0;             ///< that were open when measuring began
    std::uint64_t connection_failures = 0;  ///< that could not be opened
    std::uint64_t errors = 0;               ///< replies that were no observation, lost connections
    std::string first_error = {};           ///< of either kind, in words
    std::chrono::nanoseconds elapsed{0};
    std::vector<std::chrono::nanoseconds> latencies = {};  ///< one per measured step
    std::chrono::nanoseconds client_cpu{0};
    std::optional<std::chrono::nanoseconds> server_cpu = std::nullopt;
    std::optional<std::uint64_t> server_resident_kib = std::nullopt;

    /// Notes a failure; the first one's words are kept.
    void add_error(std::string what);
    void add_connection_failure(std::string what);

    /// Whether the numbers may be used at all.
    [[nodiscard]] bool good() const;
};

/// One line of JSON. Sorts `report.latencies`.
[[nodiscard]] std::string to_json(Report& report);

}  // namespace openenv::bench
