#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace openenv {
namespace test {

/// A door in the code of an environment: whoever comes to it waits until the test opens it. Takes
/// the place of a sleep. Thread: any.
/// Errors: every wait throws after the hang bound.
class Gate {
public:
    Gate() = default;
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    /// Environment: waits at the door.
    void pass();
    /// Test: returns once so many have come to the door, since it was made.
    void wait_for_arrivals(std::size_t count);
    /// Test: lets everybody pass, now and later.
    void open();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t arrivals_ = 0;
    bool open_ = false;
};

}  // namespace test
}  // namespace openenv
