#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace openenv {
inline namespace v0 {
namespace server {

/// A number that one thread changes and any may read. Without a lock prefix: it costs that thread
/// what a plain variable costs.
class Counter {
public:
    void add(std::uint64_t amount = 1) noexcept { set(get() + amount); }
    void subtract(std::uint64_t amount = 1) noexcept { set(get() - amount); }
    void set(std::uint64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t get() const noexcept {
        return value_.load(std::memory_order_relaxed);
    }

private:
    std::atomic<std::uint64_t> value_{0};
};

/// One Counter for every enumerator of an enum that ends with `count_`.
template <class Enum>
class CounterFor {
public:
    static constexpr std::size_t kSize = static_cast<std::size_t>(Enum::count_);
    [[nodiscard]] Counter& operator[](Enum which) noexcept {
        return counters_[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] const Counter& operator[](Enum which) const noexcept {
        return counters_[static_cast<std::size_t>(which)];
    }

private:
    std::array<Counter, kSize> counters_;
};

/// How long something took, counted in buckets whose bounds are powers of two. Thread: as Counter.
class DurationHistogram {
public:
    /// The smallest bucket ends at 2^10 ns, about a microsecond, the largest with an end at 2^37
    /// ns, about 137 s; one more holds the rest.
    static constexpr unsigned kFirstPower = 10;
    static constexpr unsigned kLastPower = 37;
    static constexpr std::size_t kBuckets = kLastPower - kFirstPower + 2;

    void record(std::chrono::nanoseconds took) noexcept {
        const auto nanoseconds = static_cast<std::uint64_t>(took.count() < 0 ? 0 : took.count());
        buckets_[bucket_of(nanoseconds)].add();
        sum_.add(nanoseconds);
    }

    /// The upper end of a bucket, which belongs to it; not of the last one, which has none.
    [[nodiscard]] static constexpr std::chrono::nanoseconds end_of(std::size_t bucket) noexcept {
        return std::chrono::nanoseconds(std::int64_t{1} << (kFirstPower + bucket));
    }
    [[nodiscard]] std::uint64_t in_bucket(std::size_t bucket) const noexcept {
        return buckets_[bucket].get();
    }
    [[nodiscard]] std::chrono::nanoseconds sum() const noexcept {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(sum_.get()));
    }

private:
    [[nodiscard]] static constexpr std::size_t bucket_of(std::uint64_t nanoseconds) noexcept {
        const auto power = static_cast<unsigned>(std::bit_width(nanoseconds - (nanoseconds != 0)));
        if (power <= kFirstPower) {
            return 0;
        }
        return power > kLastPower ? kBuckets - 1 : power - kFirstPower;
    }

    std::array<Counter, kBuckets> buckets_;
    Counter sum_;  // nanoseconds
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
