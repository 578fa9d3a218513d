#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace session {

/// How many sessions may exist, and how many do. A place is reserved before the slow building of
/// an environment and given back when that environment is gone, so the limit is never passed.
/// Thread: every function may be called from any thread. Lifetime: outlives its slots.
class Capacity {
public:
    /// Errors: throws ConfigError when max is 0.
    explicit Capacity(std::size_t max);

    /// A reserved place; given back when it is destroyed.
    class Slot {
    public:
        explicit Slot(Capacity& owner) noexcept : owner_(&owner) {}
        Slot(Slot&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
        Slot& operator=(Slot&& other) noexcept {
            std::swap(owner_, other.owner_);
            return *this;
        }
        ~Slot() {
            if (owner_ != nullptr) {
                owner_->active_.fetch_sub(1, std::memory_order_acq_rel);
            }
        }

    private:
        Capacity* owner_;
    };

    /// Nothing when every place is taken.
    [[nodiscard]] std::optional<Slot> reserve() noexcept;

    [[nodiscard]] std::size_t active() const noexcept {
        return active_.load(std::memory_order_acquire);
    }
    [[nodiscard]] std::size_t max() const noexcept { return max_; }

private:
    const std::size_t max_;
    std::atomic<std::size_t> active_{0};
};

}  // namespace session
}  // namespace v0
}  // namespace openenv
