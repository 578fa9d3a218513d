#pragma once

#include "value_rule.hpp"

#include <openenv/base/error.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The value that somebody means who types `text` for this rule:
///   boolean    y, yes, true, n, no, false in any letter case
///   choice     a value as it is, else its number in the list, from 1
///   string     the text itself; in quotes, as JSON, what could be taken for something else
///   otherwise  JSON
/// "null" is null where the rule allows it. Limits of numbers and lengths of texts are checked.
/// For alternatives, whose kind has to be chosen first, it takes any JSON.
/// Errors: validation, with a text for whoever typed it.
[[nodiscard]] openenv::Result<openenv::Json> read_typed(
    const ValueRule& rule, std::string_view text
);

/// The place of the choice that `text` means among `names`: one that it is, or its number.
[[nodiscard]] std::optional<std::size_t> find_choice(
    const std::vector<std::string>& names, std::string_view text
);

/// True for y, yes and true, false for n, no and false, in any letter case.
[[nodiscard]] std::optional<bool> read_yes_or_no(std::string_view text);

}  // namespace cli
