#pragma once

#include <openenv/net/executors.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>

#include <optional>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

/// What one coroutine waits for. It has no timer, and needs no memory while nobody waits.
/// Thread: its io thread. Lifetime: longer than the wait.
class Event {
    using Token = boost::asio::use_awaitable_t<IoExecutor>;
    using Handler = boost::asio::async_result<Token, void()>::handler_type;

public:
    explicit Event(IoExecutor io) : io_(io) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    /// Lets the one who waits go on, after what runs now. Nothing is kept for who comes later.
    void notify() {
        if (waiting_) {
            Handler handler = std::move(*waiting_);
            waiting_.reset();
            boost::asio::post(io_, std::move(handler));
        }
    }

    /// Waits once; the waiter looks again at what it waits for. One at a time.
    [[nodiscard]] io_awaitable<void> wait() {
        return boost::asio::async_initiate<const Token, void()>(
            [this](Handler handler) { waiting_.emplace(std::move(handler)); }, io_token
        );
    }

private:
    IoExecutor io_;
    std::optional<Handler> waiting_;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
