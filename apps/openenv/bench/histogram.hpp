#pragma once

#include "bench/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace openenv::bench {

/// Counts times by their length, to three significant digits, in memory that does not grow with
/// their number. Each octave is cut into 1024 parts of equal width, so a time is told from another
/// when they differ by a thousandth. Counts, the longest time and the mean are exact.
class Histogram {
public:
    Histogram();

    /// Counts a time. A negative one counts as zero; what is beyond kLongest is told from others
    /// only where it is the longest of all.
    void record(Nanoseconds time);
    /// Counts all that another one has counted.
    void add(const Histogram& other);

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] Nanoseconds longest() const noexcept { return longest_; }
    [[nodiscard]] Nanoseconds mean() const noexcept;
    /// The time that `share` of all, from 0 to 1, did not exceed: the upper end of the part it fell
    /// into, at most the longest. Zero when nothing was counted.
    [[nodiscard]] Nanoseconds at_share(double share) const;

    /// Beyond four hours.
    static constexpr Nanoseconds kLongest{(std::int64_t{1} << 44) - 1};

private:
    std::vector<std::uint64_t> parts_;
    std::uint64_t count_ = 0;
    Nanoseconds longest_{0};
    double sum_ = 0;
};

}  // namespace openenv::bench
