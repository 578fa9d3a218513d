#include "client/channel.hpp"

#include <exception>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

namespace {

/// A server answers each message once; what sends more without being asked is broken.
constexpr std::size_t kMostUnread = 16;
constexpr std::size_t kMostUnreadBytes = 64 * 1024;

std::string text_of(const net::WebSocketEnd& end) {
    if (end.code == 0) {
        return end.text.empty() ? "the connection has ended" : end.text;
    }
    std::string text = "closed by the server with " + std::to_string(end.code);
    return end.text.empty() ? text : text + " (" + end.text + ")";
}

}  // namespace

Channel::Channel(
    std::shared_ptr<LoopState> loop,
    net::DialOptions options,
    std::shared_ptr<const net::ConnectionLimits> limits
)
    : loop_(std::move(loop)),
      sweeper_use_(std::in_place, loop_),
      dial_(loop_->io(), std::move(options), std::move(limits), loop_->sweeper()),
      changed_(loop_->io()) {}

void Channel::start(net::Url url) {
    loop_->spawn(run(shared_from_this(), std::move(url)));
}

net::io_awaitable<void> Channel::run(std::shared_ptr<Channel> self, net::Url url) {
    try {
        co_await self->receive(std::move(url));
    } catch (const std::exception& error) {
        self->abort();
        if (self->stage_ == Stage::connecting) {
            self->failure_ = Error{Errc::network, error.what()};
        }
        self->end(error.what());
    }
}

net::io_awaitable<void> Channel::receive(net::Url url) {
    Result<std::unique_ptr<net::WebSocket>> socket = co_await dial_.websocket(std::move(url));
    if (!socket) {
        failure_ = std::move(socket).error();
        end(failure_->message);
        co_return;
    }
    if (stage_ == Stage::ended) {
        co_return;  // aborted just as it opened
    }
    socket_ = std::move(*socket);
    stage_ = Stage::open;
    changed_.notify();
    std::string message;
    for (;;) {
        const bool received = co_await socket_->read(message);
        if (!received) {
            break;
        }
        unread_bytes_ += message.size();
        inbox_.push_back(std::move(message));
        changed_.notify();
        if (inbox_.size() > 1 &&
            (inbox_.size() > kMostUnread || unread_bytes_ > kMostUnreadBytes)) {
            end("the server sent a lot that nobody had asked for");
            socket_->abort();
        }
    }
    end(text_of(socket_->end()));
    socket_->abort();  // what is left of it, such as a handshake that the peer does not finish
}

std::string Channel::take() {
    std::string message = std::move(inbox_.front());
    inbox_.pop_front();
    unread_bytes_ -= message.size();
    return message;
}

void Channel::end(std::string why) {
    if (stage_ != Stage::ended) {
        stage_ = Stage::ended;
        end_text_ = std::move(why);
        sweeper_use_.reset();
    }
    changed_.notify();
}

void Channel::send(std::string message) {
    used = true;
    outbox_.push_back(std::move(message));
    if (!writing_) {
        writing_ = true;
        loop_->spawn(write(shared_from_this()));
    }
}

net::io_awaitable<void> Channel::write(std::shared_ptr<Channel> self) {
    while (!self->outbox_.empty()) {
        const std::string message = std::move(self->outbox_.front());
        self->outbox_.pop_front();
        // One that fails ends the read as well, which tells.
        co_await self->socket_->write(message);
    }
    self->writing_ = false;
}

void Channel::close() {
    if (stage_ == Stage::open) {
        socket_->close(net::CloseCode::normal, "");
    } else {
        abort();
    }
}

void Channel::abort() {
    if (socket_) {
        socket_->abort();
    } else {
        dial_.abort();
    }
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
