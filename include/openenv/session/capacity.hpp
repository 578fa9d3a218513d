#pragma once

#include <openenv/net/executors.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace session {

/// How many sessions may exist, and how many do. A place is reserved before the slow building of
/// an environment and given back when that environment is gone, so the limit is never passed.
///
/// Who comes when every place is taken may wait in a queue of bounded length. A place that is given
/// back goes to the one who has waited longest; nobody who comes later can take it meanwhile.
/// Thread: every function may be called from any thread. Lifetime: outlives its slots and waiters.
class Capacity {
    struct Entry;

public:
    /// `queue_depth` of 0: nobody waits. Errors: throws ConfigError when max is 0.
    explicit Capacity(std::size_t max, std::size_t queue_depth = 0);
    ~Capacity();
    Capacity(const Capacity&) = delete;
    Capacity& operator=(const Capacity&) = delete;

    /// A reserved place; given back when it is destroyed.
    class Slot {
    public:
        explicit Slot(Capacity& owner) noexcept : owner_(&owner) {}
        Slot(Slot&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
        Slot& operator=(Slot&& other) noexcept {
            std::swap(owner_, other.owner_);
            return *this;
        }
        ~Slot() { give_back(); }

        /// Gives the place back now, whatever it was for.
        void give_back() noexcept {
            if (Capacity* owner = std::exchange(owner_, nullptr)) {
                owner->give_back();
            }
        }

    private:
        Capacity* owner_;
    };

    /// Nothing when every place is taken.
    [[nodiscard]] std::optional<Slot> reserve() noexcept;

    /// Why somebody got no place.
    enum class NoPlace {
        full,      ///< every place was taken, and so was every place in the queue
        too_late,  ///< the time for waiting was over
        left,      ///< leave() was called
    };

    /// One who wants a place. Thread: one io thread, for everything.
    class Waiter {
    public:
        Waiter(Capacity& capacity, net::IoExecutor io);
        /// Leaves the queue. A place that was given to it in the same moment goes to the next.
        ~Waiter();
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;

        /// A place: at once if one is free, else behind those who came before. To be called once.
        [[nodiscard]] net::io_awaitable<std::variant<Slot, NoPlace>> wait(
            std::chrono::steady_clock::time_point deadline
        );

        /// Ends the waiting, now or when it begins.
        void leave() noexcept;

    private:
        Capacity& capacity_;
        net::IoExecutor io_;
        std::shared_ptr<Entry> entry_;  // weakly held by what wakes it
        bool left_ = false;
    };

    [[nodiscard]] std::size_t active() const noexcept {
        return active_.load(std::memory_order_acquire);
    }
    [[nodiscard]] std::size_t max() const noexcept { return max_; }
    /// How many wait.
    [[nodiscard]] std::size_t waiting() const noexcept {
        return waiting_.load(std::memory_order_acquire);
    }
    [[nodiscard]] std::size_t queue_depth() const noexcept { return queue_depth_; }

private:
    void give_back() noexcept;
    [[nodiscard]] std::optional<Slot> leave_queue(Entry& entry) noexcept;

    const std::size_t max_;
    const std::size_t queue_depth_;
    std::mutex mutex_;
    std::list<Entry*> queue_;  // while somebody is in it every place is taken
    // Written under the lock.
    std::atomic<std::size_t> active_{0};
    std::atomic<std::size_t> waiting_{0};
};

}  // namespace session
}  // namespace v0
}  // namespace openenv
