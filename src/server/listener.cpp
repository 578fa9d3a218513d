#include "server/listener.hpp"

#include "server/http_session.hpp"
#include "server/polite_refusal.hpp"

#include <openenv/base/log.hpp>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// After a connection that could not be served for want of something of the system's.
constexpr std::chrono::milliseconds kPause{100};
/// Refused for want of descriptors until a pause is made: enough for peers, and no work to speak
/// of.
constexpr int kRefusalsAPause = 32;
/// Accepted in one go; then others on this thread have their turn.
constexpr int kAtOnce = 64;

const std::string& without_descriptors_text() {
    static const std::string text = refusal_text(
        "the server can open no more files: every session is one, and ulimit -n says how many "
        "there may be"
    );
    return text;
}

/// A failure that lies with the system, and is over sooner or later.
bool is_shortage(int error) {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

Descriptor open_spare() {
    return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

net::io_awaitable<void> adopt(
    Context& context,
    Shard& shard,
    net::TaskGroup& tasks,
    Descriptor descriptor,
    ListeningSocket::Protocol protocol,
    Arrival arrival
) {
    net::StreamSocket socket(shard.io);
    boost::system::error_code error;
    socket.assign(protocol, descriptor.get(), error);
    if (error) {
        log(LogLevel::error, "an accepted connection cannot be used: " + error.message());
        co_return;
    }
    descriptor.release();
    co_await serve_connection(context, shard, tasks, std::move(socket), std::move(arrival));
}

}  // namespace

Listener::Listener(
    Context& context,
    std::vector<std::unique_ptr<Shard>>& shards,
    net::TaskGroup& tasks,
    ListeningSocket socket
)
    : context_(context),
      shards_(shards),
      tasks_(tasks),
      socket_(std::move(socket)),
      protocol_(socket_.acceptor.local_endpoint().protocol()),
      retry_(shards.front()->io),
      spare_(open_spare()),
      too_many_(refusal_text(
          "all " + std::to_string(context.config.max_connections) +
          " connections that this server allows are open"
      )) {}

void Listener::start() {
    wait();
}

void Listener::close() {
    socket_.file.reset();
    boost::system::error_code ignored;
    socket_.acceptor.close(ignored);
    retry_.cancel();
}

void Listener::wait() {
    socket_.acceptor.async_wait(
        ListeningSocket::Acceptor::wait_read,
        [this](boost::system::error_code error) {
            if (!socket_.acceptor.is_open()) {
                return;
            }
            if (error) {
                pause();
            } else {
                accept_waiting();
            }
        }
    );
}

void Listener::accept_waiting() {
    for (int i = 0; i != kAtOnce; ++i) {
        Descriptor connection = accept_one();
        if (!connection.is_open()) {
            const int error = errno;
            if (error == EAGAIN) {
                said_starved_ = false;  // everybody was served
                break;
            }
            if (is_shortage(error)) {
                say_once(
                    said_starved_,
                    std::string("no new connections for now: ") + std::strerror(error) +
                        " (more open files are allowed by ulimit -n)"
                );
                if (refuse_without_descriptors()) {
                    wait();
                } else {
                    pause();
                }
                return;
            }
            continue;  // a peer that left before we came, which accept() tells in many ways
        }
        if (is_full()) {
            shards_.front()->counters.refused[Refusal::connections].add();
            refuse_politely(std::move(connection), too_many_);
        } else {
            deal(std::move(connection));
        }
    }
    wait();
}

void Listener::deal(Descriptor connection) {
    Shard& shard = *shards_[next_shard_];
    next_shard_ = (next_shard_ + 1) % shards_.size();
    // Counted from here on, so that the end of the server waits for it.
    tasks_.spawn(
        shard.io,
        adopt(context_, shard, tasks_, std::move(connection), protocol_, Arrival(context_))
    );
}

/// Tells those who wait that we have no descriptor for them, one after the other in the place of
/// the spare one. True when nobody is left.
bool Listener::refuse_without_descriptors() {
    const auto now = std::chrono::steady_clock::now();
    if (now - refusing_since_ >= kPause) {
        refusing_since_ = now;
        refused_since_ = 0;
    }
    while (refused_since_ != kRefusalsAPause && spare_.is_open()) {
        ++refused_since_;
        spare_.close();
        Descriptor connection = accept_one();
        const int error = connection.is_open() ? 0 : errno;
        if (error == 0) {
            shards_.front()->counters.refused[Refusal::descriptors].add();
            refuse_politely(std::move(connection), without_descriptors_text());
        }
        spare_ = open_spare();
        if (error != 0) {
            return error == EAGAIN;  // else another thread was faster
        }
    }
    if (!spare_.is_open()) {
        spare_ = open_spare();
    }
    return false;
}

void Listener::pause() {
    retry_.expires_after(kPause);
    retry_.async_wait([this](boost::system::error_code error) {
        if (!error && socket_.acceptor.is_open()) {
            accept_waiting();
        }
    });
}

/// Never waits; errno tells why there is none.
Descriptor Listener::accept_one() {
    const int listening = socket_.acceptor.native_handle();
    return Descriptor(::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

bool Listener::is_full() {
    const std::size_t limit = context_.config.max_connections;
    const bool full = context_.connections + context_.arriving >= limit;
    if (full) {
        say_once(
            said_full_,
            "no new connections for now: all " + std::to_string(limit) +
                " that max_connections allows are open"
        );
    }
    said_full_ = full;
    return full;
}

void Listener::say_once(bool& said, const std::string& text) {
    if (!said) {
        log(LogLevel::error, text);
    }
    said = true;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
