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
/// Lifetime: outlives every coroutine it spawned and every member.
class TaskGroup {
public:
    /// Counted while it lives, for work that the group did not spawn. Thread: any.
    class Member {
    public:
        explicit Member(TaskGroup& group) : group_(group) { group_.started(); }
        ~Member() { group_.finished(); }
        Member(const Member&) = delete;
        Member& operator=(const Member&) = delete;

    private:
        TaskGroup& group_;
    };

    /// Starts `task` on `executor`. Thread: any.
    void spawn(IoExecutor executor, io_awaitable<void> task);

    /// Blocking: waits until nothing is left, at most until `deadline`. Returns how many are left.
    /// Thread: none of those that the coroutines run on.
    [[nodiscard]] std::size_t wait_until_empty(std::chrono::steady_clock::time_point deadline);

private:
    void started();
    void finished();

    std::mutex mutex_;
    std::condition_variable empty_;
    std::size_t running_ = 0;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
