#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace openenv {
inline namespace v0 {
namespace net {

/// Owns every thread of a server, so that none is ever detached: finished ones are joined as new
/// ones start, the rest at shutdown. A thread that never ends is counted, not waited for for ever.
/// Thread: every function may be called from any thread.
class ThreadRegistry {
public:
    ThreadRegistry() = default;
    /// Joins what has ended. If a thread is still running, its code may use anything of the
    /// process: the destructor logs that and ends the process with exit code 3 (see join_all).
    ~ThreadRegistry();
    ThreadRegistry(const ThreadRegistry&) = delete;
    ThreadRegistry& operator=(const ThreadRegistry&) = delete;

    /// Errors: std::system_error when the system has no thread left.
    void spawn(std::function<void()> body);

    /// Waits until every thread has ended, at most until `deadline`.
    /// Returns how many are still running.
    [[nodiscard]] std::size_t join_all(std::chrono::steady_clock::time_point deadline);

    /// Threads whose work nobody waits for any more: counted here for all pools together, because
    /// together they are what the process runs out of.
    void gave_up() noexcept { ++given_up_; }
    void took_back() noexcept { --given_up_; }
    [[nodiscard]] std::size_t given_up() const noexcept { return given_up_; }

private:
    struct Entry {
        std::thread thread;
        bool finished = false;
    };
    void join_finished(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable ended_;
    std::list<Entry> entries_;
    std::size_t running_ = 0;
    std::atomic<std::size_t> given_up_{0};
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
