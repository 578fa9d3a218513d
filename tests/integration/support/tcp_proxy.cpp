#include "integration/support/tcp_proxy.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <list>
#include <mutex>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace openenv {
namespace test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

int checked(int result, const char* what) {
    if (result < 0) {
        throw std::runtime_error(std::string("proxy: ") + what + ": " + std::strerror(errno));
    }
    return result;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// Two sockets, and whether anything passes between them.
struct Pair {
    int client = -1;
    int server = -1;
    bool cut = false;
    steady_clock::time_point last_used = steady_clock::now();
};

bool send_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

/// Passes on what has arrived; false at the end of the stream.
bool forward(int from, int to) {
    std::array<char, 16384> buffer;
    const ssize_t received = ::recv(from, buffer.data(), buffer.size(), 0);
    return received > 0 && send_all(to, {buffer.data(), static_cast<std::size_t>(received)});
}

}  // namespace

struct TcpProxy::Impl {
    explicit Impl(std::uint16_t server_port_) : server_port(server_port_) {
        listener = checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
        sockaddr_in address = loopback(0);
        checked(
            ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind"
        );
        checked(::listen(listener, SOMAXCONN), "listen");
        socklen_t size = sizeof address;
        checked(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), "name");
        own_port = ntohs(address.sin_port);
        wake = checked(::eventfd(0, EFD_CLOEXEC), "eventfd");
        thread = std::thread([this] { run(); });
    }

    ~Impl() {
        tell([this] { stopping = true; });
        thread.join();
        for (const Pair& pair : pairs) {
            close_both(pair);
        }
        ::close(listener);
        ::close(wake);
    }

    static void close_both(const Pair& pair) {
        ::close(pair.client);
        ::close(pair.server);
    }

    /// Runs `action` on the proxy's thread and returns when it is done.
    void tell(const std::function<void()>& action) {
        std::unique_lock lock(mutex);
        wish = action;
        const std::uint64_t one = 1;
        static_cast<void>(::write(wake, &one, sizeof one));
        fulfilled.wait(lock, [this] { return !wish; });
    }

    void fulfil() {
        std::uint64_t count = 0;
        static_cast<void>(::read(wake, &count, sizeof count));
        const std::scoped_lock lock(mutex);
        wish();
        wish = nullptr;
        fulfilled.notify_all();
    }

    void accept() {
        Pair pair;
        pair.client = checked(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC), "accept");
        pair.server = checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
        const sockaddr_in address = loopback(server_port);
        checked(
            ::connect(pair.server, reinterpret_cast<const sockaddr*>(&address), sizeof address),
            "connect"
        );
        pairs.push_back(pair);
    }

    /// How long poll() may wait: until a connection has been idle for too long.
    int patience() const {
        constexpr int kForEver = -1;
        if (!idle_limit) {
            return kForEver;
        }
        const auto now = steady_clock::now();
        auto next = now + *idle_limit;
        for (const Pair& pair : pairs) {
            if (!pair.cut) {
                next = std::min(next, pair.last_used + *idle_limit);
            }
        }
        const auto left = std::chrono::ceil<milliseconds>(next - now);
        return static_cast<int>(std::max(left, milliseconds(0)).count());
    }

    void run() {
        while (!stopping) {
            std::vector<pollfd> watched{{wake, POLLIN, 0}, {listener, POLLIN, 0}};
            std::vector<std::list<Pair>::iterator> of;
            for (auto pair = pairs.begin(); pair != pairs.end(); ++pair) {
                if (!pair->cut) {
                    watched.push_back({pair->client, POLLIN, 0});
                    watched.push_back({pair->server, POLLIN, 0});
                    of.push_back(pair);
                }
            }
            checked(::poll(watched.data(), watched.size(), patience()), "poll");
            const auto now = steady_clock::now();
            for (std::size_t i = 0; i != of.size(); ++i) {
                Pair& pair = *of[i];
                const bool from_client = watched[2 + 2 * i].revents != 0;
                const bool from_server = watched[3 + 2 * i].revents != 0;
                if (from_client || from_server) {
                    pair.last_used = now;
                }
                const bool idle = idle_limit && now - pair.last_used >= *idle_limit;
                const bool open = (!from_client || forward(pair.client, pair.server)) &&
                                  (!from_server || forward(pair.server, pair.client));
                if (!open || idle) {
                    close_both(pair);
                    pairs.erase(of[i]);
                }
            }
            if (watched[1].revents != 0) {
                accept();
            }
            if (watched[0].revents != 0) {
                fulfil();
            }
        }
    }

    const std::uint16_t server_port;
    std::uint16_t own_port = 0;
    int listener = -1;
    int wake = -1;
    std::list<Pair> pairs;  // of the proxy's thread, as the next two
    bool stopping = false;
    std::optional<milliseconds> idle_limit;
    std::mutex mutex;  // of `wish`
    std::condition_variable fulfilled;
    std::function<void()> wish;
    std::thread thread;
};

TcpProxy::TcpProxy(std::uint16_t server_port) : impl_(std::make_unique<Impl>(server_port)) {}

TcpProxy::~TcpProxy() = default;

std::uint16_t TcpProxy::port() const {
    return impl_->own_port;
}

std::string TcpProxy::url() const {
    return "http://127.0.0.1:" + std::to_string(port());
}

void TcpProxy::cut() {
    impl_->tell([this] {
        for (Pair& pair : impl_->pairs) {
            pair.cut = true;
        }
    });
}

void TcpProxy::forget_cut_connections() {
    impl_->tell([this] {
        impl_->pairs.remove_if([](const Pair& pair) {
            if (pair.cut) {
                Impl::close_both(pair);
            }
            return pair.cut;
        });
    });
}

void TcpProxy::close_idle_after(std::chrono::milliseconds time) {
    impl_->tell([this, time] { impl_->idle_limit = time; });
}

}  // namespace test
}  // namespace openenv
