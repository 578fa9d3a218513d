#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/env/execution.hpp>
#include <openenv/net/executors.hpp>
#include <openenv/net/worker_pool.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace session {

/// Settings of where and for how long environment code runs.
struct ExecutionSettings {
    std::size_t max_workers = 256;
    /// A longer call of an `inline_fast` environment moves it to `pooled` for good.
    std::chrono::microseconds inline_budget = std::chrono::milliseconds(1);
    /// Building an environment, and closing one.
    std::chrono::milliseconds creation_timeout = std::chrono::seconds(120);
    /// Every reset, step and state, queueing included; unset: no limit.
    std::optional<std::chrono::milliseconds> call_timeout;
    /// A call without a limit is reported in the log once it has lasted this long.
    std::chrono::milliseconds slow_call_warning = std::chrono::seconds(60);
};

/// One environment of a server and the threads its sessions run on.
/// Thread: every function may be called from any thread. Lifetime: outlives its sessions.
class EnvironmentHost {
public:
    /// `threads` outlives the host.
    EnvironmentHost(
        EnvironmentEntry entry, ExecutionSettings settings, net::ThreadRegistry& threads
    );

    [[nodiscard]] const EnvironmentEntry& entry() const noexcept { return entry_; }
    [[nodiscard]] const ExecutionSettings& settings() const noexcept { return settings_; }
    /// What the environment declared, or `pooled` once it was demoted.
    [[nodiscard]] Execution policy() const noexcept { return policy_.load(); }
    /// An inline call took longer than the budget by the clock on the wall. That may be the
    /// system's doing: from now on calls are measured by what the thread itself spent, see
    /// demote().
    void suspect() noexcept { suspected_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool suspected() const noexcept {
        return suspected_.load(std::memory_order_relaxed);
    }
    /// An inline call computed for longer than the budget, or waited for something.
    void demote(std::chrono::microseconds took);
    /// The workers for a new session: one thread of its own when pinned, else shared ones.
    [[nodiscard]] std::shared_ptr<net::WorkerPool> workers_for_session();
    /// Lets the shared workers end once their queue is empty. Call it when no session is left.
    void close() { shared_workers_->close(); }

private:
    const EnvironmentEntry entry_;
    const ExecutionSettings settings_;
    net::ThreadRegistry& threads_;
    std::atomic<Execution> policy_;
    std::atomic<bool> suspected_{false};
    std::shared_ptr<net::WorkerPool> shared_workers_;  // also held by every session that uses it
};

/// How waiting for a piece of work ended.
enum class RunOutcome {
    done,
    never_ran,  ///< the deadline passed while it was queued; nothing has happened
    abandoned,  ///< the deadline passed while it ran; it may still be running
    refused,    ///< no thread could be started for it; nothing has happened
};

/// Runs one session's calls where the policy says, one at a time.
/// Thread: the session's io thread.
class Lane {
public:
    Lane(EnvironmentHost& host, net::IoExecutor io);

    /// True while calls run in place, without leaving the io thread.
    [[nodiscard]] bool runs_inline() const noexcept {
        return host_.policy() == Execution::inline_fast;
    }

    /// Runs `work`, and `if_abandoned` after it on the same thread should the deadline pass before.
    /// What both touch must be owned by them. `what` names the call in the log.
    [[nodiscard]] net::io_awaitable<RunOutcome> run(
        std::string_view what,
        std::function<void()> work,
        std::function<void()> if_abandoned,
        std::optional<std::chrono::steady_clock::time_point> deadline
    );

    /// Ends the waiting of the run() under way as if its deadline had passed.
    void give_up();

    /// Runs `work` like run(), without waiting for it and without a limit. Without any thread left
    /// it is destroyed instead.
    void hand_over(std::function<void()> work);

private:
    struct Completion;

    void run_in_place(const std::function<void()>& work);
    void run_in_place_measured(const std::function<void()>& work);

    EnvironmentHost& host_;
    net::IoExecutor io_;
    std::shared_ptr<net::WorkerPool> workers_;  // shared with the host unless the session is pinned
    std::weak_ptr<Completion> running_;         // of the run() under way
};

}  // namespace session
}  // namespace v0
}  // namespace openenv
