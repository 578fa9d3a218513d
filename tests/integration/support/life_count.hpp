#pragma once

#include "support/hang_bound.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>

namespace openenv {
namespace test {

/// Counts what the instances of ProbeEnvironment live through. Thread: any.
class LifeCount {
public:
    LifeCount() = default;
    LifeCount(const LifeCount&) = delete;
    LifeCount& operator=(const LifeCount&) = delete;

    void built();
    void stepped();
    /// `same_thread`: on the thread that built it. Closing one instance twice is noted.
    void closed(const void* instance, bool same_thread);
    void stopped();
    void destroyed(const void* instance);

    /// Instances that exist.
    [[nodiscard]] std::size_t live() const;
    /// The most that existed at once.
    [[nodiscard]] std::size_t most_live() const;
    [[nodiscard]] std::size_t built_so_far() const;
    [[nodiscard]] std::size_t steps() const;
    [[nodiscard]] std::size_t closes() const;
    /// Closes on another thread than the constructor, closes beyond the first of an instance, and
    /// instances destroyed without one.
    [[nodiscard]] std::size_t wrong_closes() const;

    // Each returns once it is so. Errors: throws after the hang bound, or after `bound`.
    void wait_for_live(std::size_t count, std::chrono::seconds bound = kHangBound);
    void wait_for_steps(std::size_t count);
    void wait_for_closes(std::size_t count);
    /// Steps that ended because their stop token was triggered.
    void wait_for_stops(std::size_t count);

private:
    template <class Condition>
    void wait_until(const char* what, std::chrono::seconds bound, Condition condition);

    mutable std::mutex mutex_;  // environments run on threads of their own
    std::condition_variable changed_;
    std::set<const void*> closed_;  // instances that still exist
    std::size_t live_ = 0;
    std::size_t most_live_ = 0;
    std::size_t built_ = 0;
    std::size_t steps_ = 0;
    std::size_t closes_ = 0;
    std::size_t wrong_closes_ = 0;
    std::size_t stops_ = 0;
};

}  // namespace test
}  // namespace openenv
