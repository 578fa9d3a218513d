#pragma once

#include <openenv/net/thread_registry.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace net {

/// Engine coroutines keep the concrete executor: type erasure costs 12 to 27 % of a small step.
using IoExecutor = boost::asio::io_context::executor_type;
template <class T>
using io_awaitable = boost::asio::awaitable<T, IoExecutor>;
inline constexpr boost::asio::use_awaitable_t<IoExecutor> io_token;

/// A fixed set of threads that each run one io_context. A socket, its coroutine and its session's
/// bookkeeping stay on one of them, so they need no lock; crossing threads is a posted value.
class IoThreads {
public:
    /// With a `busy_poll` a thread that has run out of work looks for more for so long before it
    /// sleeps: to be woken up takes tens of microseconds in a virtual machine. For cores that have
    /// nothing else to do.
    /// Errors: throws ConfigError when count is 0.
    explicit IoThreads(std::size_t count, std::chrono::microseconds busy_poll = {});
    ~IoThreads();
    IoThreads(const IoThreads&) = delete;
    IoThreads& operator=(const IoThreads&) = delete;

    [[nodiscard]] std::size_t size() const noexcept { return contexts_.size(); }
    [[nodiscard]] boost::asio::io_context& at(std::size_t index) { return *contexts_[index]; }

    /// Starts the threads; each runs until stop().
    void start(ThreadRegistry& threads);

    /// Lets every context end once its handlers are done; those still queued are not run.
    void stop();

private:
    const std::chrono::microseconds busy_poll_;
    std::vector<std::unique_ptr<boost::asio::io_context>> contexts_;
    std::vector<boost::asio::executor_work_guard<IoExecutor>> work_;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
