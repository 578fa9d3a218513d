#pragma once

#include <openenv/env/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace openenv {
namespace test {

/// A Gate for environments that wait: whoever comes to it is suspended until the test opens it, or
/// until its coroutine is cancelled. Thread: any. Lifetime: outlives the coroutines.
/// Errors: a test's own wait throws after the hang bound.
class AsyncGate {
public:
    AsyncGate() = default;
    AsyncGate(const AsyncGate&) = delete;
    AsyncGate& operator=(const AsyncGate&) = delete;

    /// Environment: waits at the door. Errors: boost::system::system_error when cancelled.
    Task<void> pass();
    /// Test: returns once so many have come to the door, since it was made.
    void wait_for_arrivals(std::size_t count);
    [[nodiscard]] std::size_t arrivals() const;
    /// Test: lets everybody pass, now and later.
    void open();

private:
    struct Waiter;
    /// Weak, because the timer inside may be destroyed by its io thread alone.
    struct Ref {
        boost::asio::any_io_executor executor;
        std::weak_ptr<Waiter> waiter;
    };

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Ref> waiters_;
    std::size_t arrivals_ = 0;
    bool open_ = false;
};

}  // namespace test
}  // namespace openenv
