#pragma once

#include "load/frame.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openenv::bench {

using Clock = std::chrono::steady_clock;

/// A file descriptor with one owner.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    [[nodiscard]] int number() const noexcept { return number_; }
    [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

private:
    int number_ = -1;
};

/// One WebSocket of the load generator: the socket, its framing, and where it stands.
/// Nothing here waits; every call does what the socket allows at that moment.
/// Errors: std::runtime_error (ProtocolError when the peer broke the framing).
class Session {
public:
    enum class Stage {
        unused,      ///< no socket yet
        connecting,  ///< TCP
        upgrading,   ///< the HTTP request is out
        resetting,   ///< the reset is out
        ready,       ///< nothing is outstanding
        stepping,    ///< a step is out
        closing,     ///< our close frame is out
        ended,       ///< done with, or failed
    };

    Stage stage = Stage::unused;
    Clock::time_point sent_at = {};  ///< of the step that is outstanding
    std::uint64_t measured_steps = 0;

    /// Begins to connect to an address; the socket becomes writable when that has been decided.
    void connect(std::uint32_t address, std::uint16_t port);
    /// Throws when the connection was refused; otherwise sends the upgrade request.
    void upgrade(std::string_view host, std::uint16_t port, std::string_view path);
    /// Sends bytes, and keeps what the socket does not take now.
    void send(std::string_view bytes);
    /// Sends what was kept.
    void flush();
    [[nodiscard]] bool has_unsent() const noexcept { return !unsent_.empty(); }
    /// Reads all that has come. False when the peer has closed its side.
    [[nodiscard]] bool receive();
    /// Whether the answer to the upgrade is complete. Throws unless it is the right 101.
    [[nodiscard]] bool upgraded();
    [[nodiscard]] std::optional<Message> next_message() { return reader_.next(); }
    /// Closes the socket.
    void end();

    [[nodiscard]] int descriptor() const noexcept { return socket_.number(); }

private:
    Descriptor socket_;
    FrameReader reader_;
    std::string unsent_;
    std::string head_;  ///< of the HTTP answer, until it is complete
    bool is_upgraded_ = false;
};

}  // namespace openenv::bench
