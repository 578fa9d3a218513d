#include "session/inline_watch.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>
#include <openenv/session/execution.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/wait_traits.hpp>

#include <exception>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace session {

using std::chrono::steady_clock;

namespace {

constexpr net::WorkerPoolLimits kOneThread{.max_threads = 1, .idle_timeout = {}};

/// Tasks of one environment that were given up and have not ended, while new ones are still
/// started.
constexpr std::size_t kMostTasksGivenUp = 256;

std::shared_ptr<net::WorkerPool> shared_workers(
    Execution policy, const ExecutionSettings& settings, net::ThreadRegistry& threads
) {
    const net::WorkerPoolLimits elastic{.max_threads = settings.max_workers};
    return std::make_shared<net::WorkerPool>(
        threads, policy == Execution::single_thread ? kOneThread : elastic
    );
}

}  // namespace

EnvironmentHost::EnvironmentHost(
    EnvironmentEntry entry, ExecutionSettings settings, net::ThreadRegistry& threads
)
    : entry_(std::move(entry)),
      settings_(settings),
      threads_(threads),
      policy_(entry_.traits.execution),
      shared_workers_(shared_workers(entry_.traits.execution, settings, threads)) {
    if (settings.max_workers == 0) {
        throw ConfigError("workers is 0; environments need at least 1 worker thread");
    }
}

void EnvironmentHost::overran(std::chrono::microseconds took) {
    const std::string figures = std::to_string(took.count()) + " us (budget " +
                                std::to_string(settings_.inline_budget.count()) + " us)";
    Execution declared = Execution::inline_fast;
    if (policy_.compare_exchange_strong(declared, Execution::pooled)) {
        ++demotions_;
        log(LogLevel::warning,
            "environment " + entry_.name + " declares inline_fast, but a call took " + figures +
                "; its calls run on the worker pool from now on");
    } else if (declared == Execution::awaitable && !reported_.exchange(true)) {
        closely_watched_ = 0;  // nothing more is to be found out
        log(LogLevel::warning,
            "environment " + entry_.name + " waits by co_await, but kept its io thread for " +
                figures +
                " at a stretch; every other session of that thread stood still meanwhile");
    }
}

std::shared_ptr<net::WorkerPool> EnvironmentHost::workers_for_session() {
    if (policy() == Execution::pinned) {
        return std::make_shared<net::WorkerPool>(threads_, kOneThread);
    }
    return shared_workers_;
}

/// What the io thread waits on; only that thread touches it. Shared with what completes it.
struct Lane::Completion {
    using Timer = boost::asio::
        basic_waitable_timer<steady_clock, boost::asio::wait_traits<steady_clock>, net::IoExecutor>;
    Completion(net::IoExecutor io, std::chrono::milliseconds warn_after)
        : timer(io), warn_at(steady_clock::now() + warn_after) {}

    void complete() {
        done = true;
        timer.cancel();
    }

    Timer timer;
    const steady_clock::time_point warn_at;  // unless it has a limit
    bool warned = false;
    bool done = false;
    bool given_up = false;
};

/// A task of an author, owned by the coroutine that runs it. Thread: the io thread.
struct Lane::RunningTask {
    explicit RunningTask(EnvironmentHost& owner) : host(owner), counted(owner.tasks()) {}
    ~RunningTask() {
        if (given_up) {
            --host.tasks_given_up();
        }
    }

    void ended(std::exception_ptr failure) noexcept {
        has_ended = true;
        if (failure) {
            log(LogLevel::error, "a task of " + host.entry().name + " ended by a fault");
        }
        if (given_up) {
            if_abandoned();
        } else {
            completion->complete();
        }
    }

    EnvironmentHost& host;
    const net::TaskGroup::Member counted;
    boost::asio::cancellation_signal cancellation;
    std::shared_ptr<Completion> completion;  // also held by the run_task() that waits
    std::function<void()> if_abandoned;
    bool given_up = false;
    bool has_ended = false;
};

Lane::Lane(EnvironmentHost& host, net::IoExecutor io)
    : host_(host), io_(io), workers_(host.workers_for_session()) {}

net::io_awaitable<RunOutcome> Lane::run(
    std::string_view what,
    std::function<void()> work,
    std::function<void()> if_abandoned,
    std::optional<steady_clock::time_point> deadline
) {
    if (runs_in_place()) {
        run_in_place(work);
        co_return RunOutcome::done;
    }

    auto completion = std::make_shared<Completion>(io_, host_.settings().slow_call_warning);
    running_ = completion;
    net::Job job;
    job.work = std::move(work);
    job.abandoned = std::move(if_abandoned);
    // Weak, because the timer inside may be destroyed by the io thread alone.
    job.finished = [io = io_, weak = std::weak_ptr<Completion>(completion)] {
        boost::asio::post(io, [weak] {
            if (const std::shared_ptr<Completion> waiting = weak.lock()) {
                waiting->complete();
            }
        });
    };
    const net::WorkerPool::Ticket ticket = workers_->submit(std::move(job));
    if (ticket.empty()) {
        co_return RunOutcome::refused;
    }

    for (;;) {
        const bool done = co_await wait(what, *completion, deadline);
        if (done) {
            co_return RunOutcome::done;
        }
        switch (workers_->abandon(ticket)) {
            case net::WorkerPool::Abandoned::never_ran:
                co_return RunOutcome::never_ran;
            case net::WorkerPool::Abandoned::running:
                co_return RunOutcome::abandoned;
            case net::WorkerPool::Abandoned::too_late:
                // It has just ended; its completion is on the way.
                completion->given_up = false;
                deadline.reset();
        }
    }
}

net::io_awaitable<RunOutcome> Lane::run_task(
    std::string_view what,
    Task<void> task,
    std::function<void()> if_abandoned,
    std::optional<steady_clock::time_point> deadline
) {
    if (host_.tasks_given_up() >= kMostTasksGivenUp) {
        co_return RunOutcome::refused;
    }
    const auto completion = std::make_shared<Completion>(io_, host_.settings().slow_call_warning);
    running_ = completion;
    auto running = std::make_shared<RunningTask>(host_);
    running->completion = completion;
    running->if_abandoned = std::move(if_abandoned);
    task_ = running;
    boost::asio::cancellation_signal& cancellation = running->cancellation;
    // The one place where a coroutine of ours meets one of an author. It begins at once, in here:
    // a task that was cancelled before it has been suspended would end the process (Boost 1.81).
    boost::asio::co_spawn(
        WatchedExecutor<net::IoExecutor>(io_, host_),
        std::move(task),
        boost::asio::bind_cancellation_slot(
            cancellation.slot(),
            [running](std::exception_ptr failure) { running->ended(std::move(failure)); }
        )
    );

    const bool done = co_await wait(what, *completion, deadline);
    if (done) {
        co_return RunOutcome::done;
    }
    running->given_up = true;
    ++host_.tasks_given_up();
    co_return RunOutcome::abandoned;
}

/// True once it is done, false when it is to be given up.
net::io_awaitable<bool> Lane::wait(
    std::string_view what, Completion& completion, std::optional<steady_clock::time_point> deadline
) {
    completion.warned = completion.warned || deadline.has_value();
    while (!completion.done) {
        completion.timer.expires_at(
            deadline            ? *deadline
            : completion.warned ? steady_clock::time_point::max()
                                : completion.warn_at
        );
        constexpr auto token = boost::asio::as_tuple(net::io_token);
        co_await completion.timer.async_wait(token);
        if (completion.done) {
            break;
        }
        const auto now = steady_clock::now();
        if (completion.given_up || (deadline && now >= *deadline)) {
            co_return false;
        }
        if (!completion.warned && now >= completion.warn_at) {
            completion.warned = true;
            log(LogLevel::warning,
                std::string(what) + " of " + host_.entry().name +
                    " has been running for long and has no limit; --call-timeout sets one");
        }
    }
    co_return true;
}

void Lane::cancel() {
    constexpr auto kTotal = boost::asio::cancellation_type::total;
    constexpr auto kTerminal = boost::asio::cancellation_type::terminal;
    for (const auto type : {kTotal, kTerminal}) {
        const std::shared_ptr<RunningTask> task = task_.lock();
        if (task && !task->has_ended) {
            task->cancellation.emit(type);
        }
    }
}

void Lane::give_up() {
    if (const std::shared_ptr<Completion> completion = running_.lock()) {
        completion->given_up = true;
        completion->timer.cancel();
    }
}

void Lane::hand_over(std::function<void()> work) {
    if (runs_in_place()) {
        run_in_place(work);
        return;
    }
    net::Job job;
    job.work = std::move(work);
    if (workers_->submit(std::move(job)).empty()) {
        log(LogLevel::error,
            "no thread is left to close an instance of " + host_.entry().name +
                "; it is destroyed without");
    }
}

void Lane::run_in_place(const std::function<void()>& work) {
    const InlineWatch watch(host_);
    work();
}

}  // namespace session
}  // namespace v0
}  // namespace openenv
