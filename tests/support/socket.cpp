#include "support/socket.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace openenv {
namespace test {

namespace {

[[noreturn]] void fail(const char* what, int error) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(error));
}

}  // namespace

Socket::Socket(std::uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (descriptor_ < 0) {
        fail("socket", errno);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // On loopback this either succeeds or fails at once.
    if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        close();
        fail("connect", error);
    }
    const int on = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

Socket::Socket(const std::string& file)
    : descriptor_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (descriptor_ < 0) {
        fail("socket", errno);
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    file.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        close();
        fail("connect", error);
    }
    ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
}

Socket::~Socket() {
    close();
}

void Socket::send(std::string_view bytes) {
    if (!try_send(bytes)) {
        throw std::runtime_error("send: the server takes no more");
    }
}

bool Socket::try_send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN) {
            wait_for(POLLOUT);
        } else if (errno == EPIPE || errno == ECONNRESET) {
            return false;
        } else if (errno != EINTR) {
            fail("send", errno);
        }
    }
    return true;
}

std::string Socket::receive_some() {
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t received = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
        if (received >= 0) {
            return {buffer.data(), static_cast<std::size_t>(received)};
        }
        if (errno == EAGAIN) {
            wait_for(POLLIN);
        } else if (errno != EINTR) {
            fail("receive", errno);
        }
    }
}

void Socket::wait_readable() {
    wait_for(POLLIN);
}

bool Socket::readable() {
    pollfd watched{descriptor_, POLLIN, 0};
    return ::poll(&watched, 1, 0) == 1;
}

void Socket::wait_for_end() {
    std::array<char, 65536> dropped;
    for (;;) {
        const ssize_t received = ::recv(descriptor_, dropped.data(), dropped.size(), 0);
        if (received == 0 || (received < 0 && errno == ECONNRESET)) {
            return;
        }
        if (received < 0 && errno == EAGAIN) {
            wait_for(POLLIN);
        } else if (received < 0 && errno != EINTR) {
            fail("receive", errno);
        }
    }
}

void Socket::shutdown_send() {
    ::shutdown(descriptor_, SHUT_WR);
}

void Socket::close() noexcept {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        descriptor_ = -1;
    }
}

void Socket::abort() noexcept {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
}

void Socket::wait_for(short events) {
    using std::chrono::milliseconds;
    using std::chrono::steady_clock;
    const auto deadline = steady_clock::now() + kHangBound;
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
        if (left.count() <= 0) {
            throw std::runtime_error("the server has not moved for the hang bound of the tests");
        }
        pollfd watched{descriptor_, events, 0};
        const int ready = ::poll(&watched, 1, static_cast<int>(left.count()));
        if (ready > 0) {
            return;
        }
        if (ready < 0 && errno != EINTR) {
            fail("poll", errno);
        }
    }
}

}  // namespace test
}  // namespace openenv
