#pragma once

#include "server/counters.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

// What is counted, and by which labels. The names are those of the labels in /metrics.

enum class SessionState : std::uint8_t {
    waiting,   ///< for a place: it is in the queue and holds none
    creating,  ///< its environment is being built
    idle,      ///< waits for a message
    queued,    ///< a call waits for a thread
    busy,      ///< a call is under way
    given_up,  ///< a call ran out of time and took the environment with it; a reset builds a new
               ///< one
    count_
};
enum class CallKind : std::uint8_t { reset, step, state, mcp, count_ };
enum class CallEnd : std::uint8_t {
    ok,
    invalid,    ///< the action or the arguments do not fit
    failed,     ///< the environment threw
    timeout,    ///< a deadline passed
    refused,    ///< there was no environment to call, or no thread to call it on
    cancelled,  ///< the peer left, or an operator ended the session
    count_
};
/// Why there was no session, or no connection.
enum class Refusal : std::uint8_t {
    capacity,       ///< every place is taken, and the queue is full
    queue_timeout,  ///< it waited in the queue for as long as the server allows
    per_peer,       ///< one peer has as many as one peer may have
    creation,       ///< the environment could not be built, or not in time
    descriptors,    ///< the process has no file descriptor left
    connections,    ///< as many connections are open as the server allows
    draining,       ///< the server is stopping
    unauthorized,   ///< a request without the token
    count_
};
/// Why a session that had been opened ended.
enum class SessionEnd : std::uint8_t {
    peer_gone,
    close_requested,
    idle,
    server_stops,
    released,  ///< by an operator
    fault,     ///< of ours
    count_
};
enum class Transport : std::uint8_t { websocket, batch, in_process, http, mcp, count_ };

[[nodiscard]] std::string_view name_of(SessionState state) noexcept;
[[nodiscard]] std::string_view name_of(CallKind kind) noexcept;
[[nodiscard]] std::string_view name_of(CallEnd end) noexcept;
[[nodiscard]] std::string_view name_of(Refusal reason) noexcept;
[[nodiscard]] std::string_view name_of(SessionEnd end) noexcept;
[[nodiscard]] std::string_view name_of(Transport transport) noexcept;

/// What went over the connections of one kind: messages of a WebSocket, bodies over HTTP.
struct Traffic {
    Counter messages_in;
    Counter bytes_in;
    Counter messages_out;
    Counter bytes_out;

    void received(std::size_t bytes) noexcept {
        messages_in.add();
        bytes_in.add(bytes);
    }
    void sent(std::size_t bytes) noexcept {
        messages_out.add();
        bytes_out.add(bytes);
    }
};

/// What one io thread counts, on cache lines of its own. Others read it at any time: each number is
/// right by itself, and two of them may be of slightly different moments.
struct alignas(64) ShardCounters {
    CounterFor<SessionState> sessions;  // at this moment; `queued` counts as busy
    Counter opened;
    CounterFor<SessionEnd> ended;
    CounterFor<Refusal> refused;
    Counter left_queue;
    /// By kind, of sessions and of stateless calls over HTTP.
    std::array<CounterFor<CallEnd>, CounterFor<CallKind>::kSize> calls;
    std::array<CounterFor<CallEnd>, CounterFor<CallKind>::kSize> http_calls;
    std::array<DurationHistogram, CounterFor<CallKind>::kSize> call_times;  // of sessions
    DurationHistogram creation_times;
    DurationHistogram queue_times;
    std::array<Traffic, CounterFor<Transport>::kSize> traffic;
    DurationHistogram loop_delays;
    Counter longest_loop_delay;  // nanoseconds
    Counter last_tick;           // of the steady clock, nanoseconds

    [[nodiscard]] Traffic& traffic_of(Transport transport) noexcept {
        return traffic[static_cast<std::size_t>(transport)];
    }
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
