// How connections and clients end.
#include "client/call_errors.hpp"
#include "client/core.hpp"
#include "client/fetch.hpp"

#include <openenv/base/log.hpp>

#include <chrono>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

using std::chrono::steady_clock;

void Core::retire(std::shared_ptr<Channel> channel) {
    channel->close();
    if (channel->stage() != Channel::Stage::ended) {
        retired_.push_back(std::move(channel));
    }
}

net::io_awaitable<void> Core::wait_for_retired(CallState* call) {
    const std::size_t closes = closes_;
    for (;;) {
        retired_.remove_if([](const std::shared_ptr<Channel>& channel) {
            return channel->stage() == Channel::Stage::ended;
        });
        const bool over = call != nullptr && (call->cancelled || closes != closes_ ||
                                              steady_clock::now() >= call->deadline);
        if (retired_.empty() || over || abandoned_) {
            co_return;
        }
        const std::shared_ptr<Channel> channel = retired_.front();
        const net::TimePoint deadline = call != nullptr ? call->deadline : net::TimePoint::max();
        co_await channel->changed().wait(deadline, call);
    }
}

void Core::end_calls() {
    ++closes_;
    turns_.notify();
    if (provider_) {
        provider_->wake();
    }
    closing_children_->changed().notify();
    for (const std::shared_ptr<Core>& child : opening_) {
        child->end_calls();
    }
    for (const std::shared_ptr<Channel>& waited_for : {channel_, dialling_}) {
        if (waited_for) {
            waited_for->changed().notify();
        }
    }
    for (const std::shared_ptr<Channel>& waited_for : retired_) {
        waited_for->changed().notify();
    }
    for (const std::weak_ptr<Fetch>& weak : fetches_) {
        if (const std::shared_ptr<Fetch> waited_for = weak.lock()) {
            waited_for->changed().notify();
        }
    }
}

/// Says goodbye on the connection, if there is one, and waits for all that are closing.
net::io_awaitable<void> Core::hang_up() {
    end_calls();
    lost_.reset();
    if (channel_) {
        const std::shared_ptr<Channel> channel = std::exchange(channel_, nullptr);
        const bool speaks = channel->stage() == Channel::Stage::open;
        if (speaks && !channel->features().batch) {  // its sessions end with it
            channel->send(R"({"type":"close"})");
        }
        // Once the message is out: the handshake follows it.
        retire(channel);
    }
    co_await wait_for_retired(nullptr);
}

net::io_awaitable<Result<void>> Core::disconnect(std::shared_ptr<CallState> call) {
    co_await hang_up();
    if (abandoned_) {
        co_return closed("disconnect");
    }
    if (call->cancelled) {
        co_return cancelled("disconnect");
    }
    co_return Result<void>();
}

net::io_awaitable<void> Core::close_child(std::shared_ptr<Core> child, Countdown::Part) {
    const bool in_episode = child->lost_ || (child->channel_ && child->channel_->used);
    const Result<void> closed = co_await child->close(std::make_shared<CallState>());
    if (in_episode) {
        child->lost_ = "the client that had opened it was closed";
    }
    if (!closed && closed.error().code != Errc::cancelled) {
        log(LogLevel::warning, "closing a child session: " + closed.error().message);
    }
}

net::io_awaitable<Result<void>> Core::close(std::shared_ptr<CallState> call) {
    end_calls();
    do {  // again for those that were opened meanwhile
        for (const std::weak_ptr<Core>& weak : std::exchange(children_, {})) {
            if (std::shared_ptr<Core> child = weak.lock()) {
                loop_->spawn(close_child(std::move(child), Countdown::Part(closing_children_)));
            }
        }
        while (closing_children_->left() != 0 && !abandoned_) {
            co_await closing_children_->changed().wait(net::TimePoint::max(), nullptr);
        }
    } while (!children_.empty() && !abandoned_);
    co_await hang_up();
    Result<void> stopped = co_await stop_provider(*call, true);
    if (!call->cancelled && !abandoned_) {
        co_return stopped;
    }
    if (!stopped) {
        log(LogLevel::warning, stopped.error().message);
        call->thrown = nullptr;
    }
    co_return abandoned_ ? closed("close") : cancelled("close");
}

void Core::abandon() {
    abandoned_ = true;
    end_calls();
    if (channel_) {
        channel_->abort();
        channel_ = nullptr;
    }
    if (dialling_) {
        dialling_->abort();
    }
    for (const std::shared_ptr<Core>& child : opening_) {
        child->abandon();
    }
    for (const std::shared_ptr<Channel>& channel : retired_) {
        channel->abort();
    }
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
