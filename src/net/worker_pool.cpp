#include <openenv/base/log.hpp>
#include <openenv/net/worker_pool.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

namespace {
/// Calls that were given up, of all pools together, while each of them is replaced by a new thread.
/// Beyond it a pool has to do with the threads it has left.
constexpr std::size_t kMostGivenUp = 256;
}  // namespace

struct WorkerPool::Entry {
    enum class Stage { queued, running, abandoned, done };
    Job job;
    Stage stage = Stage::queued;  // guarded by Shared::mutex
};

struct WorkerPool::Shared : std::enable_shared_from_this<Shared> {
    Shared(ThreadRegistry& registry, WorkerPoolLimits wanted) : threads(registry), limits(wanted) {}

    ThreadRegistry& threads;
    const WorkerPoolLimits limits;
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<std::shared_ptr<Entry>> queue;
    std::size_t workers = 0;  // running threads without those that run an abandoned job
    bool reported = false;    // that no thread could be started
    std::size_t idle = 0;     // of these, the ones that wait for work
    bool closed = false;

    /// Starts one more worker when the queue has more jobs than there are idle workers to take
    /// them.
    void grow(std::unique_lock<std::mutex>& lock) {
        if (queue.size() <= idle || workers >= limits.max_threads) {
            return;
        }
        if (threads.given_up() >= kMostGivenUp) {
            report("256 are held by calls that were given up; only a restart frees those");
            return;
        }
        ++workers;
        lock.unlock();
        try {
            threads.spawn([self = shared_from_this()] { self->work(); });
            lock.lock();
            reported = false;
        } catch (const std::system_error& error) {
            lock.lock();
            --workers;
            report(error.what());
        }
    }

    void report(const char* why) {
        if (!reported) {
            reported = true;
            log(LogLevel::error, std::string("no further worker thread: ") + why);
        }
    }

    /// Calls what follows the work. What the work itself owned is gone before.
    static void finish(Entry& entry, bool abandoned) {
        const std::function<void()> follow =
            std::move(abandoned ? entry.job.abandoned : entry.job.finished);
        entry.job = Job{};
        if (follow) {
            follow();
        }
    }

    void work() {
        std::unique_lock lock(mutex);
        for (;;) {
            if (!queue.empty()) {
                const std::shared_ptr<Entry> entry = queue.front();
                queue.pop_front();
                entry->stage = Entry::Stage::running;
                lock.unlock();
                entry->job.work();
                lock.lock();
                const bool abandoned = entry->stage == Entry::Stage::abandoned;
                entry->stage = Entry::Stage::done;
                lock.unlock();
                finish(*entry, abandoned);
                lock.lock();
                if (abandoned) {
                    threads.took_back();
                    if (queue.size() <= idle || workers >= limits.max_threads) {
                        return;  // another has taken this worker's place
                    }
                    ++workers;
                }
                continue;
            }
            if (closed || !wait_for_work(lock)) {
                --workers;
                return;
            }
        }
    }

    /// False when there was nothing to do for the idle time.
    bool wait_for_work(std::unique_lock<std::mutex>& lock) {
        const auto ready = [this] { return closed || !queue.empty(); };
        ++idle;
        bool worth_staying = true;
        if (limits.idle_timeout.count() == 0) {
            wake.wait(lock, ready);
        } else {
            worth_staying = wake.wait_for(lock, limits.idle_timeout, ready);
        }
        --idle;
        return worth_staying;
    }
};

WorkerPool::WorkerPool(ThreadRegistry& threads, WorkerPoolLimits limits)
    : shared_(std::make_shared<Shared>(threads, limits)) {}

WorkerPool::~WorkerPool() {
    close();
}

void WorkerPool::close() {
    const std::scoped_lock lock(shared_->mutex);
    shared_->closed = true;
    shared_->wake.notify_all();
}

WorkerPool::Ticket WorkerPool::submit(Job job) {
    auto entry = std::make_shared<Entry>();
    entry->job = std::move(job);
    std::unique_lock lock(shared_->mutex);
    shared_->queue.push_back(entry);
    if (shared_->idle > 0) {
        shared_->wake.notify_one();
    }
    shared_->grow(lock);
    if (shared_->workers == 0 && std::erase(shared_->queue, entry) != 0) {
        lock.unlock();  // the job dies outside the lock
        return Ticket();
    }
    return Ticket(std::move(entry));
}

WorkerPool::Abandoned WorkerPool::abandon(const Ticket& ticket) {
    Entry& entry = *ticket.entry_;
    std::unique_lock lock(shared_->mutex);
    switch (entry.stage) {
        case Entry::Stage::queued:
            std::erase(shared_->queue, ticket.entry_);
            entry.stage = Entry::Stage::done;
            return Abandoned::never_ran;
        case Entry::Stage::running:
            entry.stage = Entry::Stage::abandoned;
            --shared_->workers;
            shared_->threads.gave_up();
            shared_->grow(lock);
            return Abandoned::running;
        case Entry::Stage::abandoned:
            return Abandoned::running;
        case Entry::Stage::done:
            return Abandoned::too_late;
    }
    return Abandoned::too_late;
}

std::size_t WorkerPool::thread_count() const {
    const std::scoped_lock lock(shared_->mutex);
    return shared_->workers;
}

WorkerPool::Figures WorkerPool::figures() const {
    const std::scoped_lock lock(shared_->mutex);
    return {
        .threads = shared_->workers,
        .busy = shared_->workers - shared_->idle,
        .queued = shared_->queue.size(),
        .max = shared_->limits.max_threads};
}

std::size_t WorkerPool::queue_length() const {
    const std::scoped_lock lock(shared_->mutex);
    return shared_->queue.size();
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
