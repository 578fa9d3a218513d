#pragma once

#include <openenv/wire/extras.hpp>
#include <openenv/wire/features.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace wire {

/// The messages a client sends over `/ws`.
enum class FrameKind : std::uint8_t { reset, step, state, close, mcp };

/// One well-formed message. `data` is the text of a JSON object, a view into the message; for a
/// reset without data it is "{}", for state, close and a batch it is empty.
struct Frame {
    FrameKind kind = FrameKind::state;
    std::string_view data;
    Extras extras = {};
};

/// The codes of error frames.
enum class FrameErrorCode : std::uint8_t {
    invalid_json,
    unknown_type,
    validation_error,
    execution_error,
    capacity_reached,
    factory_error,
    session_error,
};

/// "INVALID_JSON" and so on.
[[nodiscard]] std::string_view name_of(FrameErrorCode code) noexcept;

/// What is wrong with a message. `errors` is a JSON array, for validation errors only.
struct FrameError {
    FrameErrorCode code = FrameErrorCode::invalid_json;
    std::string message;
    std::string errors = {};
    std::string id = {};       ///< of the message, as JSON; empty where it had none
    std::string timeout = {};  ///< the phase in which the call ran out of time: "queued"
};

/// Reads the envelope of a message without building a tree; what is inside `data` is checked to be
/// JSON and not read further. `granted` says what may be in `x`; where nothing was granted the key
/// is unknown. Lifetime: the result refers to `text`.
[[nodiscard]] std::variant<Frame, FrameError> parse_frame(
    std::string_view text, Features granted = {}
);

/// What comes before and after the JSON that an environment writes.
inline constexpr std::string_view kObservationPrefix = R"({"type":"observation","data":)";
inline constexpr std::string_view kStatePrefix = R"({"type":"state","data":)";
inline constexpr std::string_view kMcpPrefix = R"({"type":"mcp","data":)";
inline constexpr std::string_view kSuffix = "}";

/// Ends an answer that names the message's id, which is JSON or empty: `,"x":{"id":7}}` or `}`.
void append_end(std::string& out, std::string_view id);

/// `{"type":"error","data":{"message":...,"code":...}}`, with `"errors":[...]` where there are any,
/// and with the id and the timeout in `x`.
[[nodiscard]] std::string error_frame(const FrameError& error);
/// The frame of a server without a free place.
[[nodiscard]] std::string capacity_frame(
    std::size_t active, std::size_t max, std::string_view id = {}
);
/// The frame of an environment that could not be built.
[[nodiscard]] std::string factory_frame(
    std::string_view message, std::string_view factory_name, std::string_view id = {}
);

}  // namespace wire
}  // namespace v0
}  // namespace openenv
