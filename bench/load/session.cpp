#include "load/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace openenv::bench {
namespace {

constexpr std::size_t kReceiveBytes = 64U << 10U;
constexpr std::size_t kLargestHead = 16U << 10U;

// A fixed key has a fixed answer, which tells a WebSocket server from something that says 101.
constexpr std::string_view kKey = "b3BlbmVudi1iZW5jaC1rZQ==";
constexpr std::string_view kAccept = "yBA57WLFJWSyvOIKC+2ZuS/JOtk=";

[[noreturn]] void throw_system_error(int code, const char* what) {
    throw std::system_error(code, std::generic_category(), what);
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char character) {
        return static_cast<char>(std::tolower(character));
    });
    return out;
}

/// The value of a header, or nothing. `head` ends with an empty line.
std::optional<std::string_view> header_value(std::string_view head, std::string_view name) {
    const std::string lowered = lower(head);
    const std::string wanted = fmt::format("\r\n{}:", lower(name));
    const std::size_t found = lowered.find(wanted);
    if (found == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t begin = head.find_first_not_of(" \t", found + wanted.size());
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor() {
    if (is_open()) {
        ::close(number_);
    }
}

void Session::connect(std::uint32_t address, std::uint16_t port) {
    socket_ = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket_.is_open()) {
        throw_system_error(errno, "socket");
    }
    const int on = 1;
    ::setsockopt(socket_.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in target{};
    target.sin_family = AF_INET;
    target.sin_port = htons(port);
    target.sin_addr.s_addr = address;
    const auto* generic = reinterpret_cast<const sockaddr*>(&target);
    if (::connect(socket_.number(), generic, sizeof target) != 0 && errno != EINPROGRESS) {
        throw_system_error(errno, "connect");
    }
    stage = Stage::connecting;
}

void Session::upgrade(std::string_view host, std::uint16_t port, std::string_view path) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket_.number(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        throw_system_error(error, "connect");
    }
    stage = Stage::upgrading;
    send(fmt::format(
        "GET {} HTTP/1.1\r\nHost: {}:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Version: 13\r\n\r\n",
        path,
        host,
        port,
        kKey
    ));
}

void Session::send(std::string_view bytes) {
    if (has_unsent()) {
        unsent_.append(bytes);
        return;
    }
    const ssize_t sent = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) {
        throw_system_error(errno, "send");
    }
    bytes.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
    unsent_ = bytes;
}

void Session::flush() {
    const std::string kept = std::exchange(unsent_, {});
    send(kept);
}

bool Session::receive() {
    // One buffer for all sessions: what it held has been copied before the next call.
    thread_local std::array<char, kReceiveBytes> buffer;
    while (true) {
        const ssize_t got = ::recv(socket_.number(), buffer.data(), buffer.size(), 0);
        if (got == 0) {
            return false;
        }
        if (got < 0) {
            if (errno == EAGAIN) {
                return true;
            }
            throw_system_error(errno, "recv");
        }
        const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
        if (is_upgraded_) {
            reader_.append(bytes);
        } else {
            head_.append(bytes);
        }
        if (bytes.size() < buffer.size()) {
            return true;
        }
    }
}

bool Session::upgraded() {
    constexpr std::string_view kEnd = "\r\n\r\n";
    const std::size_t end = head_.find(kEnd);
    if (end == std::string::npos) {
        if (head_.size() > kLargestHead) {
            throw std::runtime_error("the answer to the upgrade request has no end");
        }
        return false;
    }
    const std::string_view head = std::string_view(head_).substr(0, end + kEnd.size());
    const std::string_view status_line = head.substr(0, head.find('\r'));
    if (!status_line.starts_with("HTTP/1.1 101")) {
        throw std::runtime_error(fmt::format("the upgrade was refused: {}", status_line));
    }
    if (header_value(head, "Sec-WebSocket-Accept") != kAccept) {
        throw std::runtime_error("the answer to the upgrade lacks the right Sec-WebSocket-Accept");
    }
    reader_.append(std::string_view(head_).substr(head.size()));
    is_upgraded_ = true;
    head_.clear();
    return true;
}

void Session::end() {
    socket_ = Descriptor();
    stage = Stage::ended;
}

}  // namespace openenv::bench
