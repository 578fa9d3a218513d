#include "support/async_gate.hpp"

#include "support/hang_bound.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>
#include <utility>

namespace openenv {
namespace test {

struct AsyncGate::Waiter {
    explicit Waiter(const boost::asio::any_io_executor& executor) : timer(executor) {
        timer.expires_at(boost::asio::steady_timer::time_point::max());
    }
    boost::asio::steady_timer timer;
    bool may_pass = false;
};

Task<void> AsyncGate::pass() {
    const boost::asio::any_io_executor executor = co_await boost::asio::this_coro::executor;
    const auto waiter = std::make_shared<Waiter>(executor);
    {
        const std::scoped_lock lock(mutex_);
        ++arrivals_;
        waiter->may_pass = open_;
        waiters_.push_back({executor, waiter});
        changed_.notify_all();
    }
    while (!waiter->may_pass) {
        constexpr auto token = boost::asio::as_tuple(boost::asio::use_awaitable);
        const auto [error] = co_await waiter->timer.async_wait(token);
        if (error && !waiter->may_pass) {
            throw boost::system::system_error(error);
        }
    }
}

void AsyncGate::wait_for_arrivals(std::size_t count) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kHangBound, [&] { return arrivals_ >= count; })) {
        throw std::runtime_error("nobody came to the gate");
    }
}

std::size_t AsyncGate::arrivals() const {
    const std::scoped_lock lock(mutex_);
    return arrivals_;
}

void AsyncGate::open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    for (Ref& ref : waiters_) {
        boost::asio::post(ref.executor, [weak = std::move(ref.waiter)] {
            if (const std::shared_ptr<Waiter> waiter = weak.lock()) {
                waiter->may_pass = true;
                waiter->timer.cancel();
            }
        });
    }
    waiters_.clear();
}

}  // namespace test
}  // namespace openenv
