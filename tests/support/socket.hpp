#pragma once

#include "support/hang_bound.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace openenv {
namespace test {

/// A connection to a server on this machine, for tests that need to say exactly what is sent.
/// Blocking: every operation, at most for kHangBound.
/// Errors: every operation throws std::runtime_error; also when it hangs.
class Socket {
public:
    explicit Socket(std::uint16_t port);
    /// To the Unix domain socket of that path.
    explicit Socket(const std::string& file);
    ~Socket();
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    /// Sends all of it.
    void send(std::string_view bytes);
    /// As send, for bytes that the server may refuse to take; false when it has.
    bool try_send(std::string_view bytes);

    /// What has arrived, at least one byte; empty when the server has ended the stream.
    [[nodiscard]] std::string receive_some();
    /// Returns once something can be received without waiting, be it the end of the stream.
    void wait_readable();
    /// True when something can be received without waiting.
    [[nodiscard]] bool readable();
    /// Receives until the server has ended the stream or reset it, and drops what came before.
    void wait_for_end();

    /// Ends the sending half; receiving goes on.
    void shutdown_send();
    void close() noexcept;
    /// Drops the connection as a killed process with unread data does: the server sees a reset.
    void abort() noexcept;

private:
    void wait_for(short events);

    int descriptor_ = -1;
};

}  // namespace test
}  // namespace openenv
