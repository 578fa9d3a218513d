#include "server/listener.hpp"

#include "server/http_session.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>

#include <boost/asio/ip/address.hpp>

#include <netinet/tcp.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::chrono::milliseconds kPauseWithoutDescriptors{100};

tcp::endpoint resolve(const ServerConfig& config) {
    boost::system::error_code error;
    const std::string host = config.host == "localhost" ? "127.0.0.1" : config.host;
    const asio::ip::address address = asio::ip::make_address(host, error);
    if (error) {
        throw ConfigError(
            "host is '" + config.host +
            "'; it takes an IP address such as 127.0.0.1, ::1 or 0.0.0.0"
        );
    }
    return {address, config.port};
}

[[noreturn]] void cannot_listen(
    const ServerConfig& config, const boost::system::error_code& error
) {
    throw Exception(Error{
        Errc::network,
        "cannot listen on " + config.host + ":" + std::to_string(config.port) + ": " +
            error.message() +
            (error == asio::error::address_in_use
                 ? " (--port 0 lets the system choose a free port)"
                 : " (--host takes an address of this machine, such as 127.0.0.1 or 0.0.0.0)")});
}

/// Small answers leave at once, and a vanished host is noticed by the kernel as well.
void tune(net::TcpSocket& socket) {
    boost::system::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    const int fd = socket.native_handle();
    const int seconds = 30;
    ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
    ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
}

/// An accepted socket on its way from one io thread to another, which only there becomes one of
/// Asio's: an io_context's reactor may be used by its own thread alone.
class Descriptor {
public:
    explicit Descriptor(int fd) noexcept : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    [[nodiscard]] int get() const noexcept { return fd_; }
    void release() noexcept { fd_ = -1; }

private:
    int fd_;
};

net::io_awaitable<void> adopt(
    Context& context, Shard& shard, net::TaskGroup& tasks, Descriptor descriptor, tcp protocol
) {
    net::TcpSocket socket(shard.io);
    boost::system::error_code error;
    socket.assign(protocol, descriptor.get(), error);
    if (error) {
        log(LogLevel::error, "an accepted connection cannot be used: " + error.message());
        co_return;
    }
    descriptor.release();
    tune(socket);
    co_await serve_connection(context, shard, tasks, std::move(socket));
}

}  // namespace

Listener::Listener(
    Context& context, std::vector<std::unique_ptr<Shard>>& shards, net::TaskGroup& tasks
)
    : context_(context),
      shards_(shards),
      tasks_(tasks),
      acceptor_(shards.front()->io),
      retry_(shards.front()->io) {
    const tcp::endpoint endpoint = resolve(context.config);
    protocol_ = endpoint.protocol();
    boost::system::error_code error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) {
        acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    }
    if (!error) {
        acceptor_.bind(endpoint, error);
    }
    if (!error) {
        acceptor_.listen(asio::socket_base::max_listen_connections, error);
    }
    if (error) {
        cannot_listen(context.config, error);
    }
    port_ = acceptor_.local_endpoint().port();
}

void Listener::start() {
    accept();
}

void Listener::close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();
}

void Listener::accept() {
    acceptor_.async_accept([this](boost::system::error_code error, net::TcpSocket socket) {
        if (!acceptor_.is_open()) {
            return;
        }
        if (error == asio::error::no_descriptors ||
            error == boost::system::errc::too_many_files_open_in_system ||
            error == asio::error::no_buffer_space || error == asio::error::no_memory) {
            if (!starved_) {
                log(LogLevel::error,
                    "no new connections for now: " + error.message() +
                        " (more open files are allowed by ulimit -n)");
            }
            starved_ = true;
            pause();
            return;
        }
        starved_ = false;
        if (!error && is_full()) {
            boost::system::error_code ignored;
            socket.close(ignored);
        } else if (!error) {
            Shard& shard = *shards_[next_shard_];
            next_shard_ = (next_shard_ + 1) % shards_.size();
            // Counted from here on, so that the end of the server waits for it.
            tasks_.spawn(
                shard.io, adopt(context_, shard, tasks_, Descriptor(socket.release()), protocol_)
            );
        }
        accept();
    });
}

bool Listener::is_full() {
    const std::size_t limit = context_.config.max_connections;
    const bool full = context_.connections >= limit;
    if (full && !was_full_) {
        log(LogLevel::error,
            "no new connections for now: all " + std::to_string(limit) +
                " that max_connections allows are open");
    }
    was_full_ = full;
    return full;
}

void Listener::pause() {
    retry_.expires_after(kPauseWithoutDescriptors);
    retry_.async_wait([this](boost::system::error_code error) {
        if (!error && acceptor_.is_open()) {
            accept();
        }
    });
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
