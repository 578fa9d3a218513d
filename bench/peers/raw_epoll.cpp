// The limit that the kernel sets: one thread, one epoll, a WebSocket codec of its own and constant
// answers whose frames were made at the start. It leaves out much of what a server needs, such as
// fragments, limits, checks of the text and keepalive; what is left is accept, recv and send.

#include "answers.hpp"
#include "peer_options.hpp"
#include "raw_frames.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace openenv::bench {
namespace {

constexpr std::size_t kReadBytes = 256U << 10U;
constexpr std::size_t kLargestRequest = 16U << 10U;
constexpr std::size_t kEventsAtOnce = 512;

[[noreturn]] void throw_system_error(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

class Descriptor {
public:
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

/// One client. Idle it holds no buffer: what has come is parsed where it was read, and only the
/// beginning of something unfinished is kept.
class Connection {
public:
    explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}

    [[nodiscard]] int descriptor() const noexcept { return socket_.number(); }
    [[nodiscard]] bool has_unsent() const noexcept {
        return !unsent_frame_.empty() || !unsent_.empty();
    }

    /// Reads once and answers all that is complete. False when this connection is over.
    /// Errors: RawFrameError, std::system_error.
    [[nodiscard]] bool read(std::span<char> buffer, const Answers& frames);
    /// Sends what the socket did not take before.
    void flush();

private:
    /// Handles what is complete in `bytes` and returns how much that was, or nothing at the end.
    [[nodiscard]] std::optional<std::size_t> handle(std::span<char> bytes, const Answers& frames);
    /// Sends one of the frames that live as long as the program: what is left of it is not copied.
    void send_frame(std::string_view frame);
    void send(std::string_view bytes);
    /// How much of it the socket took.
    [[nodiscard]] std::size_t offer(std::string_view bytes);

    Descriptor socket_;
    std::string unfinished_;
    std::string_view unsent_frame_;  // leaves before unsent_
    std::string unsent_;
    bool is_upgraded_ = false;
};

bool Connection::read(std::span<char> buffer, const Answers& frames) {
    const ssize_t got = ::recv(descriptor(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EAGAIN) {
        return true;
    }
    if (got <= 0) {
        return false;
    }
    std::span<char> bytes = buffer.first(static_cast<std::size_t>(got));
    std::string joined;
    if (!unfinished_.empty()) {
        joined = std::exchange(unfinished_, {});
        joined.append(bytes.data(), bytes.size());
        bytes = joined;
    }
    const std::optional<std::size_t> handled = handle(bytes, frames);
    if (!handled) {
        return false;
    }
    unfinished_.assign(bytes.data() + *handled, bytes.size() - *handled);
    return true;
}

std::optional<std::size_t> Connection::handle(std::span<char> bytes, const Answers& frames) {
    std::size_t handled = 0;
    if (!is_upgraded_) {
        const std::string_view text(bytes.data(), bytes.size());
        const std::size_t end = text.find("\r\n\r\n");
        if (end == std::string_view::npos) {
            return text.size() > kLargestRequest ? std::nullopt : std::optional<std::size_t>(0);
        }
        handled = end + 4;
        send(upgrade_answer(text.substr(0, handled)));
        is_upgraded_ = true;
    }
    while (const auto frame = cut_client_frame(bytes.subspan(handled))) {
        handled += frame->size;
        if (frame->opcode == RawOpcode::text) {
            send_frame(answer_to(frames, frame->payload));
        } else if (frame->opcode == RawOpcode::ping) {
            send(server_frame(RawOpcode::pong, frame->payload));
        } else if (frame->opcode == RawOpcode::close) {
            send(server_frame(RawOpcode::close, frame->payload));
            return std::nullopt;
        }
    }
    return handled;
}

void Connection::send_frame(std::string_view frame) {
    if (has_unsent()) {
        unsent_.append(frame);
    } else {
        unsent_frame_ = frame.substr(offer(frame));
    }
}

void Connection::send(std::string_view bytes) {
    if (has_unsent()) {
        unsent_.append(bytes);
    } else {
        unsent_ = bytes.substr(offer(bytes));
    }
}

std::size_t Connection::offer(std::string_view bytes) {
    const ssize_t sent = ::send(descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) {
        throw_system_error("send");
    }
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

void Connection::flush() {
    unsent_frame_.remove_prefix(offer(unsent_frame_));
    if (unsent_frame_.empty() && !unsent_.empty()) {
        unsent_.erase(0, offer(unsent_));
    }
}

class Loop {
public:
    Loop(const Answers& frames, std::uint16_t port);

    [[nodiscard]] std::uint16_t port() const;
    /// Blocking: for ever.
    void run();

private:
    void accept_all();
    void handle(Connection& connection, std::uint32_t events);
    void watch(int descriptor, int operation, std::uint32_t events);

    const Answers& frames_;
    Descriptor epoll_;
    Descriptor listener_;
    std::vector<char> buffer_;
    std::vector<std::unique_ptr<Connection>> connections_;  // at the place of their descriptor
};

Loop::Loop(const Answers& frames, std::uint16_t port)
    : frames_(frames),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
      buffer_(kReadBytes) {
    if (epoll_.number() < 0 || listener_.number() < 0) {
        throw_system_error("epoll_create1 or socket");
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(listener_.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener_.number(), SOMAXCONN) != 0) {
        throw_system_error("bind or listen");
    }
    watch(listener_.number(), EPOLL_CTL_ADD, EPOLLIN);
}

std::uint16_t Loop::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (::getsockname(listener_.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        throw_system_error("getsockname");
    }
    return ntohs(address.sin_port);
}

void Loop::run() {
    std::array<epoll_event, kEventsAtOnce> events{};
    while (true) {
        const int count = ::epoll_wait(
            epoll_.number(), events.data(), static_cast<int>(events.size()), /*timeout=*/-1
        );
        if (count < 0 && errno != EINTR) {
            throw_system_error("epoll_wait");
        }
        for (int i = 0; i < count; ++i) {
            const epoll_event& event = events[static_cast<std::size_t>(i)];
            if (event.data.fd == listener_.number()) {
                accept_all();
            } else {
                handle(*connections_[static_cast<std::size_t>(event.data.fd)], event.events);
            }
        }
    }
}

void Loop::accept_all() {
    while (true) {
        const int descriptor =
            ::accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) {
            if (errno != EAGAIN) {
                std::perror("raw_epoll: accept4");
            }
            return;
        }
        const int on = 1;
        ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const auto place = static_cast<std::size_t>(descriptor);
        if (connections_.size() <= place) {
            connections_.resize(place + 1);
        }
        connections_[place] = std::make_unique<Connection>(Descriptor(descriptor));
        watch(descriptor, EPOLL_CTL_ADD, EPOLLIN);
    }
}

void Loop::handle(Connection& connection, std::uint32_t events) {
    const bool had_unsent = connection.has_unsent();
    bool is_open = true;
    try {
        if ((events & EPOLLOUT) != 0) {
            connection.flush();
        }
        if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
            is_open = connection.read(buffer_, frames_);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "raw_epoll: a connection: %s\n", error.what());
        is_open = false;
    }
    if (!is_open) {
        connections_[static_cast<std::size_t>(connection.descriptor())].reset();
    } else if (had_unsent != connection.has_unsent()) {
        const std::uint32_t wanted = connection.has_unsent() ? EPOLLIN | EPOLLOUT : EPOLLIN;
        watch(connection.descriptor(), EPOLL_CTL_MOD, wanted);
    }
}

void Loop::watch(int descriptor, int operation, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.fd = descriptor;
    if (::epoll_ctl(epoll_.number(), operation, descriptor, &event) != 0) {
        throw_system_error("epoll_ctl");
    }
}

void serve(const PeerOptions& options) {
    if (options.threads != 1) {
        throw std::runtime_error("--threads: it has one thread only");
    }
    Answers frames = read_answers(options.answers);
    for (std::string* text : {&frames.reset, &frames.step, &frames.state, &frames.other}) {
        *text = server_frame(RawOpcode::text, *text);
    }
    Loop loop(frames, options.port);
    announce(loop.port());
    loop.run();
}

}  // namespace
}  // namespace openenv::bench

int main(int argc, char** argv) {
    const auto options =
        openenv::bench::read_options("Constant answers over epoll alone.", argc, argv);
    if (!options) {
        return 2;
    }
    try {
        openenv::bench::raise_descriptor_limit();
        openenv::bench::serve(*options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "raw_epoll: %s\n", error.what());
        return 1;
    }
    return 0;
}
