#pragma once

#include <openenv/base/error.hpp>

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace client {

// How calls fail, and what they do meanwhile. `what` names the call.

inline constexpr const char* kQueued = "queued";
inline constexpr const char* kConnecting = "connecting";
inline constexpr const char* kStarting = "starting the server";

inline Error cancelled(std::string_view what) {
    return Error{Errc::cancelled, std::string(what) + " was cancelled"};
}

inline Error closed(std::string_view what) {
    return Error{Errc::cancelled, std::string(what) + " ended because the client was closed"};
}

inline Error timed_out(std::string_view what, const char* phase) {
    Error error{Errc::timeout, std::string(what) + " ran out of time while " + phase};
    error.phase = phase;
    return error;
}

/// Throws `error` as the class that belongs to its code; Exception itself for all others.
[[noreturn]] void throw_client_error(Error error);

/// `step` is what the attempt to connect was doing.
inline Error no_connection_in_time(std::string_view step) {
    return Error{
        Errc::network,
        "no connection within the connect timeout; it ended while " + std::string(step)};
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
