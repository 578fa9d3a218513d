#include "server/frame_answers.hpp"

#include <openenv/base/log.hpp>

#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

using wire::FrameError;
using wire::FrameErrorCode;

namespace {
/// What of an exception's text is logged.
constexpr std::size_t kLoggedText = 1000;
}  // namespace

std::string error_answer(
    const Error& error, const std::string& class_name, std::string_view id, wire::Features features
) {
    if (error.code == Errc::factory_failed) {
        return wire::factory_frame(error.message, class_name, id);
    }
    FrameError frame{FrameErrorCode::execution_error, error.message};
    frame.id = id;
    if (features.deadline && error.code == Errc::timeout) {
        frame.timeout = error.phase;
    }
    return wire::error_frame(frame);
}

std::string refusal_answer(CallOutcome outcome, std::string text, std::string_view id) {
    FrameError error;
    if (outcome == CallOutcome::invalid) {
        error.code = FrameErrorCode::validation_error;
        error.message = "Invalid message";
        error.errors = std::move(text);
    } else {
        error.code = FrameErrorCode::execution_error;
        error.message = std::move(text);
    }
    error.id = id;
    return wire::error_frame(error);
}

void log_thrown(const LiveSession& session, std::string_view text) {
    session.log(LogLevel::debug, "the environment threw", {{"what", text.substr(0, kLoggedText)}});
}

CallKind call_kind(wire::FrameKind kind) {
    switch (kind) {
        case wire::FrameKind::reset:
            return CallKind::reset;
        case wire::FrameKind::state:
            return CallKind::state;
        case wire::FrameKind::mcp:
            return CallKind::mcp;
        default:
            return CallKind::step;
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
