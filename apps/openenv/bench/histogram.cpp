#include "bench/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace openenv::bench {
namespace {

/// Values below have a part each; from there on every octave has half as many parts.
constexpr unsigned kExactBits = 11;
constexpr std::uint64_t kParts = std::uint64_t{1} << (kExactBits - 1);

/// By how many bits a value is shortened.
unsigned shift_of(std::uint64_t value) {
    const auto width = static_cast<unsigned>(std::bit_width(value));
    return width > kExactBits ? width - kExactBits : 0;
}

std::size_t part_of(std::uint64_t value) {
    const unsigned shift = shift_of(value);
    return shift * kParts + (value >> shift);
}

/// The largest value that falls into a part.
std::uint64_t end_of(std::size_t part) {
    if (part < 2 * kParts) {
        return part;
    }
    const std::uint64_t shift = part / kParts - 1;
    const std::uint64_t shortened = part - shift * kParts;
    return ((shortened + 1) << shift) - 1;
}

std::uint64_t counted(Nanoseconds time) {
    const Nanoseconds held = std::clamp(time, Nanoseconds(0), Histogram::kLongest);
    return static_cast<std::uint64_t>(held.count());
}

}  // namespace

Histogram::Histogram() : parts_(part_of(counted(kLongest)) + 1) {}

void Histogram::record(Nanoseconds time) {
    time = std::max(time, Nanoseconds(0));
    ++parts_[part_of(counted(time))];
    ++count_;
    longest_ = std::max(longest_, time);
    sum_ += static_cast<double>(time.count());
}

void Histogram::add(const Histogram& other) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        parts_[part] += other.parts_[part];
    }
    count_ += other.count_;
    longest_ = std::max(longest_, other.longest_);
    sum_ += other.sum_;
}

Nanoseconds Histogram::mean() const noexcept {
    if (count_ == 0) {
        return Nanoseconds(0);
    }
    return Nanoseconds(std::llround(sum_ / static_cast<double>(count_)));
}

Nanoseconds Histogram::at_share(double share) const {
    const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
    const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, count_ + 1);
    std::uint64_t passed = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        passed += parts_[part];
        if (passed >= rank) {
            return std::min(Nanoseconds(static_cast<std::int64_t>(end_of(part))), longest_);
        }
    }
    return longest_;
}

}  // namespace openenv::bench
