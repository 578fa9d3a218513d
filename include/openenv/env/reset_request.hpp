#pragma once

#include <openenv/base/json.hpp>
#include <openenv/model/field.hpp>
#include <openenv/model/type_info.hpp>
#include <openenv/model/validation.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace detail {

/// The part of a reset's arguments that every environment knows.
struct ResetBasics {
    std::optional<std::int64_t> seed;
    std::optional<std::string> episode_id;
};

/// Reads seed and episode_id from the JSON object `arguments`, leaving other keys alone. Integers
/// of 64 bits without a sign become the negative number with the same bits; a bool, an integral
/// number and a text of digits count as integers. A wrong episode_id goes to `errors`.
/// Errors: throws UserError for a seed that is no integer of 64 bits.
[[nodiscard]] ResetBasics read_reset_basics(
    std::string_view arguments, model::ValidationErrors& errors
);

/// The keys of the JSON object `arguments` that are neither seed nor episode_id nor in `described`.
[[nodiscard]] Json other_arguments(
    std::string_view arguments, std::span<const model::FieldInfo> described
);

/// The JSON Schema of what reset accepts: seed, episode_id, and the properties of `own`, the schema
/// of the environment's own arguments.
[[nodiscard]] std::string reset_schema(Json own, bool accepts_any);

}  // namespace detail
}  // namespace v0
}  // namespace openenv
