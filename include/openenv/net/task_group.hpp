#pragma once

#include <openenv/net/executors.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace openenv {
inline namespace v0 {
namespace net {

/// Counts the coroutines of a server, so that its end can wait for all of them. What escapes from
/// one is logged and ends that one only.
/// Lifetime: outlives every coroutine it spawned.
class TaskGroup {
public:
    /// Starts `task` on `executor`. Thread: any.
    void spawn(IoExecutor executor, io_awaitable<void> task);

    /// Blocking: waits until no coroutine is left, at most until `deadline`. Returns how many are.
    /// Thread: none of those that the coroutines run on.
    [[nodiscard]] std::size_t wait_until_empty(std::chrono::steady_clock::time_point deadline);

private:
    void finished();

    std::mutex mutex_;
    std::condition_variable empty_;
    std::size_t running_ = 0;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
