#pragma once

#include "support/hang_bound.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace openenv {
namespace test {

class RawWebSocket;

/// The frame, in full, that a server of that capacity sends to a peer it has no place for.
[[nodiscard]] std::string capacity_frame(std::size_t max_sessions);

/// Connects and asks for the state. Nothing when the server was full, after checking that it said
/// so with exactly the frame and the close that belong to it.
[[nodiscard]] std::unique_ptr<RawWebSocket> try_session(
    std::uint16_t port, std::size_t max_sessions
);

/// A session that has answered. Errors: throws when the server does not admit it.
[[nodiscard]] std::unique_ptr<RawWebSocket> open_session(std::uint16_t port);

/// Tries until a place is free. Errors: throws after `bound`.
[[nodiscard]] std::unique_ptr<RawWebSocket> wait_for_session(
    std::uint16_t port, std::size_t max_sessions, std::chrono::seconds bound = kHangBound
);

/// Ends the session as a client does, and waits for the server's part of it.
void close_session(RawWebSocket& session);

/// Fails the test unless the session answers a `state`.
void expect_alive(RawWebSocket& session);

}  // namespace test
}  // namespace openenv
