#pragma once

#include <openenv/net/executors.hpp>
#include <openenv/net/sweeper.hpp>

#include <boost/asio/as_tuple.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

/// Longer than anybody waits, and short enough to be added to a point in time.
inline constexpr std::chrono::hours kLongestTime{10 * 365 * 24};

/// A call that somebody waits for, and how it is told that nobody does any more.
/// Thread: the loop's.
struct CallState {
    net::TimePoint deadline = net::TimePoint::max();
    bool cancelled = false;
    bool limited = false;             // the caller has set the limit, so the server hears of it
    std::string extra = {};           // of a step, the text of an object
    std::function<void()> wake = {};  // of the wait under way
    std::exception_ptr thrown = {};   // what the provider threw: the call throws that on
};

/// Something that waiting coroutines are told about. They look again at what they wait for: a wait
/// also ends at its deadline and when its call is cancelled.
/// Thread: the loop's.
class Event {
public:
    explicit Event(net::IoExecutor io) : io_(io) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void notify() {
        for (net::IoTimer* timer : waiting_) {
            timer->cancel();
        }
    }

    /// Waits once. `call` may be null.
    [[nodiscard]] net::io_awaitable<void> wait(net::TimePoint deadline, CallState* call) {
        net::IoTimer timer(io_, deadline);
        const Waiting waiting(*this, timer, call);
        constexpr auto token = boost::asio::as_tuple(net::io_token);
        co_await timer.async_wait(token);
    }

private:
    /// Names the timer to whoever may end the wait, as long as it lasts.
    class Waiting {
    public:
        Waiting(Event& event, net::IoTimer& timer, CallState* call)
            : event_(event), at_(event.waiting_.insert(event.waiting_.end(), &timer)), call_(call) {
            if (call_ != nullptr) {
                call_->wake = [&timer] { timer.cancel(); };
            }
        }
        ~Waiting() {
            event_.waiting_.erase(at_);
            if (call_ != nullptr) {
                call_->wake = nullptr;
            }
        }
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

    private:
        Event& event_;
        std::list<net::IoTimer*>::iterator at_;
        CallState* call_;
    };

    net::IoExecutor io_;
    std::list<net::IoTimer*> waiting_;
};

/// How many of several things are still to come. Thread: the loop's.
class Countdown {
public:
    explicit Countdown(net::IoExecutor io) : changed_(io) {}

    /// One of them, for as long as it lives.
    class Part {
    public:
        explicit Part(std::shared_ptr<Countdown> whole) : whole_(std::move(whole)) {
            ++whole_->left_;
        }
        Part(Part&& other) noexcept = default;
        Part& operator=(Part&&) = delete;
        ~Part() {
            if (whole_) {
                --whole_->left_;
                whole_->changed_.notify();
            }
        }

    private:
        std::shared_ptr<Countdown> whole_;  // shared with who waits for all parts
    };

    [[nodiscard]] std::size_t left() const noexcept { return left_; }
    /// Tells of every part that has gone.
    [[nodiscard]] Event& changed() noexcept { return changed_; }

private:
    std::size_t left_ = 0;
    Event changed_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
