#pragma once

#include <openenv/base/error.hpp>

#include <string_view>

namespace openenv {
inline namespace v0 {
namespace wire {

/// What kind of answer a server sent. Types that nobody knows are `other`: newer servers may have
/// more of them.
enum class ReplyKind { observation, state, mcp, error, closed, batch, other };

/// One answer of a server. `data` is the text of its JSON object, "{}" where there was none; `x`
/// that of what extensions add, empty where there is nothing.
/// Lifetime: views into the message.
struct Reply {
    ReplyKind kind = ReplyKind::other;
    std::string_view data;
    std::string_view x;
};

/// What kind of answer a `type` names.
[[nodiscard]] ReplyKind reply_kind(std::string_view type);

/// Reads an answer, leniently: keys beside `type` and `data` are passed over, and the kind may be
/// missing.  Errors: invalid_json when it is no JSON object, or its data is none.
[[nodiscard]] Result<Reply> parse_reply(std::string_view message);

/// The failure that an error frame's data tells of, with the server's own code and list. Its text
/// is the one that Python clients show: "Server error: <message> (code: <code>)".
[[nodiscard]] Error to_error(std::string_view error_data);

/// Whether the server ends the session after an error of that code.
[[nodiscard]] bool ends_session(std::string_view server_code);

}  // namespace wire
}  // namespace v0
}  // namespace openenv
