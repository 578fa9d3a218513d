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

std::string text_of(const net::StreamEnd& end) {
    if (end.code == 0) {
        return end.text.empty() ? "the connection has ended" : end.text;
    }
    std::string text = "closed by the server with " + std::to_string(end.code);
    return end.text.empty() ? text : text + " (" + end.text + ")";
}

net::DialOptions asking_for(wire::Features wanted, net::DialOptions options) {
    if (wanted.any()) {
        options.headers.emplace_back(wire::kAcceptHeader, wire::to_text(wanted));
    }
    return options;
}

}  // namespace

Channel::Channel(
    std::shared_ptr<LoopState> loop,
    std::shared_ptr<net::Connector> connector,
    net::DialOptions options,
    std::shared_ptr<const net::ConnectionLimits> limits,
    wire::Features wanted
)
    : loop_(std::move(loop)),
      sweeper_use_(std::in_place, loop_),
      connector_(std::move(connector)),
      dial_(
          loop_->io(), asking_for(wanted, std::move(options)), std::move(limits), loop_->sweeper()
      ),
      wanted_(wanted),
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

net::io_awaitable<Channel::Opened> Channel::open(net::Url url) {
    if (!connector_) {
        co_return co_await dial_.websocket(std::move(url));
    }
    std::string wanted = wire::to_text(wanted_);
    Opened opened = co_await connector_->connect(loop_->io(), std::move(wanted));
    if (aborted_) {
        opened = Error{Errc::cancelled, "given up"};
    }
    co_return opened;
}

net::io_awaitable<void> Channel::receive(net::Url url) {
    Opened socket = co_await open(std::move(url));
    if (!socket) {
        failure_ = std::move(socket).error();
        end(failure_->message);
        co_return;
    }
    if (stage_ == Stage::ended) {
        co_return;  // aborted just as it opened
    }
    socket_ = std::move(*socket);
    // What nobody has asked for cannot hold.
    features_ = wanted_ & wire::parse_features(socket_->features());
    stage_ = Stage::open;
    changed_.notify();
    std::string message;
    for (;;) {
        const bool received = co_await socket_->read(message);
        if (!received) {
            break;
        }
        if (owed_.any() && owed_.take(message)) {
            continue;
        }
        arrived(std::move(message));
        if (inbox_.size() > 1 &&
            (inbox_.size() > kMostUnread || unread_bytes_ > kMostUnreadBytes)) {
            end("the server sent a lot that nobody had asked for");
            socket_->abort();
        }
    }
    end(text_of(socket_->end()));
    socket_->abort();  // what is left of it, such as a handshake that the peer does not finish
}

void Channel::arrived(std::string message) {
    if (listened_to_) {
        if (const std::shared_ptr<Listener> listener = listener_.lock()) {
            listener->on_message(std::move(message));
        }
        return;
    }
    unread_bytes_ += message.size();
    inbox_.push_back(std::move(message));
    changed_.notify();
}

void Channel::listen(const std::shared_ptr<Listener>& listener) {
    listener_ = listener;
    listened_to_ = true;
    while (has_message()) {
        arrived(take());
    }
    if (stage_ == Stage::ended) {
        listener->on_end();
    }
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
        if (const std::shared_ptr<Listener> listener = listener_.lock()) {
            listener->on_end();
        }
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
        aborted_ = true;
        dial_.abort();
    }
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
