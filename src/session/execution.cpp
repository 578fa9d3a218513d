#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>
#include <openenv/session/execution.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/wait_traits.hpp>

#include <algorithm>
#include <ctime>
#include <string>
#include <sys/resource.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace session {

using std::chrono::steady_clock;

namespace {

/// No system takes a thread off its core for so many budgets.
constexpr int kBeyondDoubt = 100;

constexpr net::WorkerPoolLimits kOneThread{.max_threads = 1, .idle_timeout = {}};

/// What the calling thread has spent so far. A thread that merely had to leave its core to another
/// has spent nothing meanwhile.
struct ThreadUsage {
    std::chrono::nanoseconds cpu;
    long waits;  // how often it gave its core away by itself

    static ThreadUsage now() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        rusage usage{};
        ::getrusage(RUSAGE_THREAD, &usage);
        return {
            std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec),
            usage.ru_nvcsw};
    }
};

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

void EnvironmentHost::demote(std::chrono::microseconds took) {
    if (policy_.exchange(Execution::pooled) == Execution::inline_fast) {
        log(LogLevel::warning,
            "environment " + entry_.name + " declares inline_fast, but a call took " +
                std::to_string(took.count()) + " us (budget " +
                std::to_string(settings_.inline_budget.count()) +
                " us); its calls run on the worker pool from now on");
    }
}

std::shared_ptr<net::WorkerPool> EnvironmentHost::workers_for_session() {
    if (policy() == Execution::pinned) {
        return std::make_shared<net::WorkerPool>(threads_, kOneThread);
    }
    return shared_workers_;
}

/// What the io thread waits on; only that thread touches it. Shared with the job that completes it.
struct Lane::Completion {
    using Timer = boost::asio::
        basic_waitable_timer<steady_clock, boost::asio::wait_traits<steady_clock>, net::IoExecutor>;
    explicit Completion(net::IoExecutor io) : timer(io) {}
    Timer timer;
    bool done = false;
    bool given_up = false;
};

Lane::Lane(EnvironmentHost& host, net::IoExecutor io)
    : host_(host), io_(io), workers_(host.workers_for_session()) {}

net::io_awaitable<RunOutcome> Lane::run(
    std::string_view what,
    std::function<void()> work,
    std::function<void()> if_abandoned,
    std::optional<steady_clock::time_point> deadline
) {
    if (runs_inline()) {
        run_in_place(work);
        co_return RunOutcome::done;
    }

    auto completion = std::make_shared<Completion>(io_);
    running_ = completion;
    net::Job job;
    job.work = std::move(work);
    job.abandoned = std::move(if_abandoned);
    // Weak, because the timer inside may be destroyed by the io thread alone.
    job.finished = [io = io_, weak = std::weak_ptr<Completion>(completion)] {
        boost::asio::post(io, [weak] {
            if (const std::shared_ptr<Completion> waiting = weak.lock()) {
                waiting->done = true;
                waiting->timer.cancel();
            }
        });
    };
    const net::WorkerPool::Ticket ticket = workers_->submit(std::move(job));
    if (ticket.empty()) {
        co_return RunOutcome::refused;
    }

    const steady_clock::time_point warn_at =
        steady_clock::now() + host_.settings().slow_call_warning;
    bool warned = deadline.has_value();
    while (!completion->done) {
        completion->timer.expires_at(
            deadline ? *deadline : (warned ? steady_clock::time_point::max() : warn_at)
        );
        constexpr auto token = boost::asio::as_tuple(net::io_token);
        co_await completion->timer.async_wait(token);
        if (completion->done) {
            break;
        }
        const auto now = steady_clock::now();
        if (!completion->given_up && (!deadline || now < *deadline)) {
            if (!warned && now >= warn_at) {
                warned = true;
                log(LogLevel::warning,
                    std::string(what) + " of " + host_.entry().name +
                        " has been running for long and has no limit; --call-timeout sets one");
            }
            continue;
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
    co_return RunOutcome::done;
}

void Lane::give_up() {
    if (const std::shared_ptr<Completion> completion = running_.lock()) {
        completion->given_up = true;
        completion->timer.cancel();
    }
}

void Lane::hand_over(std::function<void()> work) {
    if (runs_inline()) {
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
    if (host_.suspected()) {
        run_in_place_measured(work);
        return;
    }
    const auto started = steady_clock::now();
    work();
    const auto took = steady_clock::now() - started;
    const auto budget = host_.settings().inline_budget;
    if (took > kBeyondDoubt * budget) {
        host_.demote(std::chrono::duration_cast<std::chrono::microseconds>(took));
    } else if (took > budget) {
        host_.suspect();
    }
}

void Lane::run_in_place_measured(const std::function<void()>& work) {
    const auto started = steady_clock::now();
    const ThreadUsage before = ThreadUsage::now();
    work();
    const ThreadUsage after = ThreadUsage::now();
    const auto took = steady_clock::now() - started;
    const auto budget = host_.settings().inline_budget;
    const bool waited = after.waits != before.waits;
    if (after.cpu - before.cpu > budget || (waited && took > budget)) {
        host_.demote(std::chrono::duration_cast<std::chrono::microseconds>(took));
    }
}

}  // namespace session
}  // namespace v0
}  // namespace openenv
