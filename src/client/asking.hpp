#pragma once

#include <openenv/client/answer.hpp>
#include <openenv/net/sweeper.hpp>
#include <openenv/wire/reply.hpp>

#include <algorithm>
#include <chrono>

namespace openenv {
inline namespace v0 {
namespace client {

constexpr const char* name_of(Ask what) {
    switch (what) {
        case Ask::reset:
            return "reset";
        case Ask::step:
            return "step";
        case Ask::state:
            return "state";
    }
    return "call";
}

/// What a call does once its message is sent.
constexpr const char* phase_of(Ask what) {
    switch (what) {
        case Ask::reset:
            return "resetting";
        case Ask::step:
            return "stepping";
        case Ask::state:
            return "reading the state";
    }
    return "waiting";
}

inline constexpr const char* kUnasked = "the server sent a message that nobody had asked for";

inline constexpr const char* kNoExtra =
    "the server does not know extra arguments of a step (extension 'deadline')";

/// What is left of a call's time, and never nothing: zero is no limit that a server takes.
inline double seconds_until(net::TimePoint deadline) {
    constexpr std::chrono::duration<double> kLeast = std::chrono::milliseconds(1);
    const std::chrono::duration<double> left = deadline - std::chrono::steady_clock::now();
    return std::max(left, kLeast).count();
}

/// True when the answer plainly belongs to another question.
constexpr bool contradicts(Ask what, wire::ReplyKind kind) {
    using wire::ReplyKind;
    if (what == Ask::state) {
        return kind == ReplyKind::observation || kind == ReplyKind::mcp;
    }
    return kind == ReplyKind::state || kind == ReplyKind::mcp;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
