#include <openenv/base/log.hpp>
#include <openenv/net/thread_registry.hpp>

#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

ThreadRegistry::~ThreadRegistry() {
    const std::size_t left = join_all(std::chrono::steady_clock::now());
    if (left != 0) {
        log(LogLevel::error,
            std::to_string(left) + " thread(s) never came back from an environment; exiting with 3"
        );
        std::_Exit(3);
    }
}

void ThreadRegistry::spawn(std::function<void()> body) {
    std::unique_lock lock(mutex_);
    join_finished(lock);
    const auto entry = entries_.emplace(entries_.end());
    try {
        entry->thread = std::thread([this, entry, work = std::move(body)] {
            work();
            const std::scoped_lock guard(mutex_);
            entry->finished = true;
            --running_;
            ended_.notify_all();
        });
    } catch (...) {
        entries_.erase(entry);
        throw;
    }
    ++running_;
}

std::size_t ThreadRegistry::join_all(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    ended_.wait_until(lock, deadline, [this] { return running_ == 0; });
    join_finished(lock);
    return running_;
}

void ThreadRegistry::join_finished(std::unique_lock<std::mutex>& lock) {
    std::list<Entry> finished;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        const auto next = std::next(entry);
        if (entry->finished) {
            finished.splice(finished.end(), entries_, entry);
        }
        entry = next;
    }
    // A finished thread has at most its own lock_guard left to release: joining it outside the
    // lock cannot wait for anybody's code.
    lock.unlock();
    for (Entry& entry : finished) {
        entry.thread.join();
    }
    lock.lock();
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
