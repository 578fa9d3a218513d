#pragma once

#include <chrono>

namespace openenv::bench {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

/// A number of seconds as the clock counts.
[[nodiscard]] constexpr Clock::duration to_duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

[[nodiscard]] constexpr double to_seconds(Nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

[[nodiscard]] constexpr double to_microseconds(Nanoseconds time) {
    return std::chrono::duration<double, std::micro>(time).count();
}

}  // namespace openenv::bench
