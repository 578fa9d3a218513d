#pragma once

#include "bench/clock.hpp"

#include <cstddef>

namespace openenv::bench {

/// When the connections of a run begin.
struct Starts {
    /// All are opened first, a few at a time, and begin to step together. Otherwise each begins at
    /// its time, and steps as soon as it is open.
    bool together = true;
    double seconds_apart = 0;  ///< from one beginning to the next; 0: all at once

    [[nodiscard]] static Starts ramp(double seconds, std::size_t connections);
    [[nodiscard]] static Starts rate(double per_second);
    [[nodiscard]] static Starts storm();

    /// How long after the beginning of the run the connection of that number begins.
    [[nodiscard]] Clock::duration offset_of(std::size_t number) const;
};

/// When the steps of a session are due.
///   closed loop  some time after the answer to the one before
///   open loop    at a fixed rate, whether answers have come or not
class Pace {
public:
    [[nodiscard]] static Pace thinking(double seconds);
    [[nodiscard]] static Pace steady(double steps_per_second);

    [[nodiscard]] bool is_open_loop() const noexcept { return open_; }
    /// The first step of session `number` of `sessions` that begin together: spread over the time
    /// between two steps, so that they do not all come at once.
    [[nodiscard]] Clock::time_point first(
        Clock::time_point begin, std::size_t number, std::size_t sessions
    ) const;
    /// The step after one that was due at `due` and answered at `answered`.
    [[nodiscard]] Clock::time_point next(Clock::time_point due, Clock::time_point answered) const {
        return (open_ ? due : answered) + between_;
    }
    [[nodiscard]] Clock::duration between() const noexcept { return between_; }

private:
    Pace(bool open, Clock::duration between) : open_(open), between_(between) {}

    bool open_;
    Clock::duration between_;
};

}  // namespace openenv::bench
