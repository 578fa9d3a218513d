#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/env/execution.hpp>
#include <openenv/env/task.hpp>
#include <openenv/net/executors.hpp>
#include <openenv/net/task_group.hpp>
#include <openenv/net/worker_pool.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
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
    /// A longer call of an `inline_fast` environment moves it to `pooled` for good; an `awaitable`
    /// one that keeps its io thread for longer at a stretch is reported in the log.
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
    /// Code on an io thread took longer than the budget by the clock on the wall. That may be the
    /// system's doing: for a while it is measured by what the thread itself spent, see overran().
    void suspect() noexcept {
        const bool known = reported_.load(std::memory_order_relaxed);
        closely_watched_.store(known ? 0 : kCallsUnderSuspicion, std::memory_order_relaxed);
    }
    [[nodiscard]] bool suspected() const noexcept {
        return closely_watched_.load(std::memory_order_relaxed) > 0;
    }
    /// A call under suspicion was within the budget.
    void behaved() noexcept { closely_watched_.fetch_sub(1, std::memory_order_relaxed); }
    /// Code on an io thread computed for longer than the budget, or blocked: an `inline_fast`
    /// environment is demoted to `pooled`, an `awaitable` one, which can run nowhere else, is
    /// reported once.
    void overran(std::chrono::microseconds took);
    /// Counts the calls of `awaitable` environments, so that the server's end can wait for them.
    [[nodiscard]] net::TaskGroup& tasks() noexcept { return tasks_; }
    /// Of these, the ones that nobody waits for any more.
    [[nodiscard]] std::atomic<std::size_t>& tasks_given_up() noexcept { return tasks_given_up_; }
    [[nodiscard]] const std::atomic<std::size_t>& tasks_given_up() const noexcept {
        return tasks_given_up_;
    }
    /// A call was given up while it ran, whatever it ran on.
    void gave_up_call() noexcept { ++calls_given_up_; }
    [[nodiscard]] std::uint64_t calls_given_up() const noexcept { return calls_given_up_; }
    /// How often code was too slow for the policy it declares: 1 once an `inline_fast` environment
    /// has been demoted.
    [[nodiscard]] std::uint64_t demotions() const noexcept { return demotions_; }
    /// Of the workers that sessions share; a pinned session has one of its own besides.
    [[nodiscard]] net::WorkerPool::Figures worker_figures() const {
        return shared_workers_->figures();
    }
    /// The workers for a new session: one thread of its own when pinned, else shared ones.
    [[nodiscard]] std::shared_ptr<net::WorkerPool> workers_for_session();
    /// Lets the shared workers end once their queue is empty. Call it when no session is left.
    void close() { shared_workers_->close(); }

private:
    const EnvironmentEntry entry_;
    const ExecutionSettings settings_;
    net::ThreadRegistry& threads_;
    std::atomic<Execution> policy_;
    /// Measuring closely costs two system calls a call: it ends when nothing more is found.
    static constexpr int kCallsUnderSuspicion = 10'000;
    std::atomic<int> closely_watched_{0};  // calls still to be measured so
    std::atomic<bool> reported_{false};    // that an awaitable environment overran
    net::TaskGroup tasks_;
    std::atomic<std::size_t> tasks_given_up_{0};
    std::atomic<std::uint64_t> calls_given_up_{0};
    std::atomic<std::uint64_t> demotions_{0};
    std::shared_ptr<net::WorkerPool> shared_workers_;  // also held by every session that uses it
};

/// How waiting for a piece of work ended.
enum class RunOutcome {
    done,
    never_ran,  ///< the deadline passed while it was queued; nothing has happened
    abandoned,  ///< the deadline passed while it ran; it may still be running
    refused,    ///< nothing has happened: no thread could be started for it, or too many tasks that
                ///< were given up have not ended
};

/// Runs one session's calls where the policy says, one at a time.
/// Thread: the session's io thread.
class Lane {
public:
    Lane(EnvironmentHost& host, net::IoExecutor io);

    /// True while calls run in place and are over when run() returns.
    [[nodiscard]] bool runs_inline() const noexcept {
        return host_.policy() == Execution::inline_fast;
    }
    /// True when calls are for run_task(), where the environment has such; run() runs in place.
    [[nodiscard]] bool runs_tasks() const noexcept {
        return host_.policy() == Execution::awaitable;
    }

    /// Runs `work`, and `if_abandoned` after it on the same thread should the deadline pass before.
    /// What both touch must be owned by them. `what` names the call in the log.
    [[nodiscard]] net::io_awaitable<RunOutcome> run(
        std::string_view what,
        std::function<void()> work,
        std::function<void()> if_abandoned,
        std::optional<std::chrono::steady_clock::time_point> deadline
    );

    /// As run(), for a task on the io thread itself. A task that is abandoned goes on; it is asked
    /// to end by cancel() alone. It must not throw.
    [[nodiscard]] net::io_awaitable<RunOutcome> run_task(
        std::string_view what,
        Task<void> task,
        std::function<void()> if_abandoned,
        std::optional<std::chrono::steady_clock::time_point> deadline
    );

    /// Cancels the latest task, if it has not ended.
    void cancel();

    /// Ends the waiting of the run() or run_task() under way as if its deadline had passed.
    void give_up();

    /// Runs `work` like run(), without waiting for it and without a limit. Without any thread left
    /// it is destroyed instead.
    void hand_over(std::function<void()> work);

private:
    struct Completion;
    struct RunningTask;

    [[nodiscard]] bool runs_in_place() const noexcept { return runs_inline() || runs_tasks(); }
    void run_in_place(const std::function<void()>& work);
    [[nodiscard]] net::io_awaitable<bool> wait(
        std::string_view what,
        Completion& completion,
        std::optional<std::chrono::steady_clock::time_point> deadline
    );

    EnvironmentHost& host_;
    net::IoExecutor io_;
    std::shared_ptr<net::WorkerPool> workers_;  // shared with the host unless the session is pinned
    std::weak_ptr<Completion> running_;         // of the run() or run_task() under way
    std::weak_ptr<RunningTask> task_;           // the latest; it may have been given up
};

}  // namespace session
}  // namespace v0
}  // namespace openenv
