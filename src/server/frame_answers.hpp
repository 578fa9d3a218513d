#pragma once

#include "server/live_session.hpp"

#include <openenv/base/error.hpp>
#include <openenv/env/any_environment.hpp>
#include <openenv/wire/frame.hpp>

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// The error frame for a call, or for the opening of a session, that came to nothing.
/// `class_name` is the environment's; `id` and the phase of a timeout are told where they hold.
[[nodiscard]] std::string error_answer(
    const Error& error,
    const std::string& class_name,
    std::string_view id = {},
    wire::Features features = {}
);

/// The error frame for a call whose environment refused it (`invalid`) or threw (`failed`); `text`
/// is what it left: a list of errors, or what it threw.
[[nodiscard]] std::string refusal_answer(
    CallOutcome outcome, std::string text, std::string_view id = {}
);

/// Notes what an environment threw, for whoever looks for it.
void log_thrown(const LiveSession& session, std::string_view text);

/// How calls of that kind are counted.
[[nodiscard]] CallKind call_kind(wire::FrameKind kind);

}  // namespace server
}  // namespace v0
}  // namespace openenv
