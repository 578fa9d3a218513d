#include <openenv/base/error.hpp>
#include <openenv/session/capacity.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/wait_traits.hpp>

namespace openenv {
inline namespace v0 {
namespace session {

using std::chrono::steady_clock;

/// One who waits. Owned by its Waiter, and destroyed on its io thread.
struct Capacity::Entry : std::enable_shared_from_this<Entry> {
    using Timer = boost::asio::
        basic_waitable_timer<steady_clock, boost::asio::wait_traits<steady_clock>, net::IoExecutor>;
    explicit Entry(net::IoExecutor executor) : io(executor), timer(executor) {}

    net::IoExecutor io;
    Timer timer;
    // Guarded by Capacity::mutex_.
    std::list<Entry*>::iterator at;
    bool queued = false;
    bool granted = false;  // a place that is counted as taken waits to be picked up
};

Capacity::Capacity(std::size_t max, std::size_t queue_depth)
    : max_(max), queue_depth_(queue_depth) {
    if (max == 0) {
        throw ConfigError("max_concurrent_envs is 0; a server needs room for at least 1 session");
    }
}

Capacity::~Capacity() = default;

std::optional<Capacity::Slot> Capacity::reserve() noexcept {
    const std::scoped_lock lock(mutex_);
    if (active_ == max_) {
        return std::nullopt;
    }
    ++active_;
    return Slot(*this);
}

void Capacity::give_back() noexcept {
    const std::scoped_lock lock(mutex_);
    if (queue_.empty()) {
        --active_;
        return;
    }
    Entry& next = *queue_.front();
    queue_.pop_front();
    --waiting_;
    next.queued = false;
    next.granted = true;
    boost::asio::post(next.io, [weak = next.weak_from_this()] {
        if (const std::shared_ptr<Entry> entry = weak.lock()) {
            entry->timer.cancel();
        }
    });
}

/// The place that was given to it meanwhile, if one was.
std::optional<Capacity::Slot> Capacity::leave_queue(Entry& entry) noexcept {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(entry.queued, false)) {
        queue_.erase(entry.at);
        --waiting_;
    }
    if (!std::exchange(entry.granted, false)) {
        return std::nullopt;
    }
    return Slot(*this);
}

Capacity::Waiter::Waiter(Capacity& capacity, net::IoExecutor io) : capacity_(capacity), io_(io) {}

Capacity::Waiter::~Waiter() {
    if (entry_) {
        const std::optional<Slot> passed_on = capacity_.leave_queue(*entry_);
    }
}

net::io_awaitable<std::variant<Capacity::Slot, Capacity::NoPlace>> Capacity::Waiter::wait(
    steady_clock::time_point deadline
) {
    if (left_) {
        co_return NoPlace::left;
    }
    auto entry = std::make_shared<Entry>(io_);
    {
        const std::scoped_lock lock(capacity_.mutex_);
        if (capacity_.active_ != capacity_.max_) {
            ++capacity_.active_;
            co_return Slot(capacity_);
        }
        if (capacity_.queue_.size() >= capacity_.queue_depth_) {
            co_return NoPlace::full;
        }
        entry->at = capacity_.queue_.insert(capacity_.queue_.end(), entry.get());
        entry->queued = true;
        ++capacity_.waiting_;
    }
    entry_ = entry;  // the destructor leaves the queue, should this never be resumed
    const auto is_queued = [&] {
        const std::scoped_lock lock(capacity_.mutex_);
        return entry->queued;
    };
    entry->timer.expires_at(deadline);
    while (!left_ && is_queued() && steady_clock::now() < deadline) {
        constexpr auto token = boost::asio::as_tuple(net::io_token);
        co_await entry->timer.async_wait(token);
    }
    entry_.reset();
    if (std::optional<Slot> slot = capacity_.leave_queue(*entry); slot && !left_) {
        co_return std::move(*slot);
    }
    co_return left_ ? NoPlace::left : NoPlace::too_late;
}

void Capacity::Waiter::leave() noexcept {
    left_ = true;
    if (entry_) {
        entry_->timer.cancel();
    }
}

}  // namespace session
}  // namespace v0
}  // namespace openenv
