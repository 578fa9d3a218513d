#include "bench/pace.hpp"

#include <algorithm>

namespace openenv::bench {

Starts Starts::ramp(double seconds, std::size_t connections) {
    return {false, seconds / static_cast<double>(std::max<std::size_t>(connections, 1))};
}

Starts Starts::rate(double per_second) {
    return {false, 1 / per_second};
}

Starts Starts::storm() {
    return {false, 0};
}

Clock::duration Starts::offset_of(std::size_t number) const {
    return to_duration(seconds_apart * static_cast<double>(number));
}

Pace Pace::thinking(double seconds) {
    return {false, to_duration(seconds)};
}

Pace Pace::steady(double steps_per_second) {
    return {true, std::max(to_duration(1 / steps_per_second), Clock::duration(1))};
}

Clock::time_point Pace::first(Clock::time_point begin, std::size_t number, std::size_t sessions)
    const {
    const double share = static_cast<double>(number) / static_cast<double>(sessions);
    return begin + std::chrono::duration_cast<Clock::duration>(between_ * share);
}

}  // namespace openenv::bench
