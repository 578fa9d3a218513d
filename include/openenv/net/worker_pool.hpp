#pragma once

#include <openenv/net/thread_registry.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace openenv {
inline namespace v0 {
namespace net {

/// How a pool grows and shrinks.
struct WorkerPoolLimits {
    std::size_t max_threads = 256;
    /// A worker without work for this long ends; zero: it stays until the pool closes.
    std::chrono::milliseconds idle_timeout = std::chrono::seconds(10);
};

/// Work for a pool. None of the functions may throw: what one throws ends the process.
struct Job {
    std::function<void()> work;
    std::function<void()> finished = {};   ///< after `work`, unless the job was abandoned meanwhile
    std::function<void()> abandoned = {};  ///< after `work` of a job that was abandoned meanwhile
};

/// Runs jobs in the order they were submitted, on threads that are started while all others are
/// busy. With `max_threads` 1 it is one thread that everything runs on. Thread: every function may
/// be called from any thread.
class WorkerPool {
    struct Shared;
    struct Entry;

public:
    /// Refers to one submitted job. Empty for a job that was refused.
    class Ticket {
    public:
        Ticket() = default;
        [[nodiscard]] bool empty() const noexcept { return entry_ == nullptr; }

    private:
        friend class WorkerPool;
        explicit Ticket(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}
        std::shared_ptr<Entry> entry_;
    };

    /// `threads` outlives every job of the pool.
    WorkerPool(ThreadRegistry& threads, WorkerPoolLimits limits);
    ~WorkerPool();  ///< close()
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Never blocks. Refuses the job, and destroys it, when the pool has no thread and the system
    /// starts none: nobody would ever take it.
    Ticket submit(Job job);

    /// What became of a job that is given up.
    enum class Abandoned {
        never_ran,  ///< it was still queued and is gone
        running,    ///< it keeps its thread; the pool may start another in its place, unless too
                    ///< many threads of the registry are held like this
        too_late,   ///< it has ended: `finished` was or will be called
    };
    Abandoned abandon(const Ticket& ticket);

    /// Queued jobs still run, then the threads end; nobody waits for that here (ThreadRegistry
    /// does).
    void close();

    /// Workers at this moment, without abandoned ones.
    [[nodiscard]] std::size_t thread_count() const;
    /// What it has and does at this moment.
    struct Figures {
        std::size_t threads = 0;  ///< without those that run an abandoned job
        std::size_t busy = 0;     ///< of these, the ones that run a job
        std::size_t queued = 0;   ///< jobs waiting for a worker
        std::size_t max = 0;      ///< most threads
    };
    [[nodiscard]] Figures figures() const;
    /// Jobs waiting for a worker.
    [[nodiscard]] std::size_t queue_length() const;

private:
    std::shared_ptr<Shared> shared_;  // the pool and each of its threads keep it alive
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
