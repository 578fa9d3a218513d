#pragma once

#include <openenv/base/error.hpp>
#include <openenv/client/step_result.hpp>
#include <openenv/wire/reply.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

/// One entry of an answer to many sessions. Lifetime: views into the message.
struct BatchEntry {
    std::uint64_t session = 0;
    wire::ReplyKind kind = wire::ReplyKind::other;
    std::string_view data = "{}";
    ResultParts parts = {};  ///< of the data, should it be an observation's
    std::optional<std::uint64_t> id = {};
    std::string_view timeout = {};
};

/// An answer on a connection that many sessions share: the entries of a batch, or what else came.
struct BatchReply {
    wire::ReplyKind kind = wire::ReplyKind::other;
    std::string_view data = "{}";
    std::vector<BatchEntry> entries = {};
};

/// Reads it in one pass, leniently as wire::parse_reply().  Errors: invalid_json.
[[nodiscard]] Result<BatchReply> parse_batch_reply(std::string_view message);

/// A message to many sessions, put together entry by entry.
class BatchMessage {
public:
    /// `type` is "reset", "step", ...
    explicit BatchMessage(std::string_view type);

    struct Entry {
        std::size_t session = 0;
        std::string_view data = {};  ///< empty: none
        std::optional<std::uint64_t> id = {};
        std::optional<double> timeout_s = {};
        std::string_view extra = {};  ///< empty: none
    };
    void add(const Entry& entry);

    [[nodiscard]] std::size_t entries() const noexcept { return entries_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return text_.size(); }

    /// The whole text. `former` is the text of an object, or empty.
    [[nodiscard]] std::string finish(std::string_view former) &&;

private:
    std::string text_;
    std::size_t entries_ = 0;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
