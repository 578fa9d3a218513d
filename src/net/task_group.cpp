#include <openenv/base/log.hpp>
#include <openenv/net/task_group.hpp>

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

void TaskGroup::spawn(IoExecutor executor, io_awaitable<void> task) {
    started();
    boost::asio::co_spawn(executor, std::move(task), [this](std::exception_ptr failure) {
        if (failure) {
            try {
                std::rethrow_exception(failure);
            } catch (const std::exception& error) {
                log(LogLevel::error, std::string("a connection ended by a fault: ") + error.what());
            } catch (...) {
                log(LogLevel::error, "a connection ended by an unknown fault");
            }
        }
        finished();
    });
}

std::size_t TaskGroup::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    empty_.wait_until(lock, deadline, [this] { return running_ == 0; });
    return running_;
}

void TaskGroup::started() {
    const std::scoped_lock lock(mutex_);
    ++running_;
}

void TaskGroup::finished() {
    // Notified under the lock: the waiter may destroy the group as soon as it sees zero.
    const std::scoped_lock lock(mutex_);
    if (--running_ == 0) {
        empty_.notify_all();
    }
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
