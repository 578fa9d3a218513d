#pragma once

#include <openenv/base/json_reader.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace client {

/// What extensions of the protocol add to a message. `extra` is the text of an object, or empty.
struct MessageExtras {
    std::optional<std::uint64_t> id = {};
    std::optional<double> timeout_s = {};
    std::string_view extra = {};

    [[nodiscard]] bool any() const noexcept { return id || timeout_s || !extra.empty(); }
};

/// Puts them into `message`, the text of an object without them; leaves it alone when there are
/// none.
void add_extras(std::string& message, const MessageExtras& extras);

/// Reads a number that we may have sent; nothing where it is none, which is passed over.
[[nodiscard]] std::optional<std::uint64_t> read_id(JsonReader& reader);
/// Reads a text as it stands between its quotes: a phase needs no escapes.
[[nodiscard]] std::string_view read_word(JsonReader& reader);

/// What extensions add to an answer. Lifetime: a view into what it was read from.
struct AnswerExtras {
    std::optional<std::uint64_t> id = {};  ///< none also where it is nothing that we would send
    std::string_view timeout = {};         ///< the phase in which a call ran out of time
};

/// Reads the text of an answer's `x`, or an empty one.
[[nodiscard]] AnswerExtras read_extras(std::string_view x);

}  // namespace client
}  // namespace v0
}  // namespace openenv
