#pragma once

#include <openenv/base/json.hpp>

#include <cstddef>
#include <string>

namespace openenv::bench {

/// A valid action, as small as its schema allows: the required fields, and those that can have one
/// value only.
/// Errors: WrongUsage naming the field for which no value can be made up, and --step.
[[nodiscard]] Json example_action(const Json& schema);

/// The name of the first field that takes a text, for --payload.
/// Errors: WrongUsage naming --step when there is none.
[[nodiscard]] std::string text_field_of(const Json& schema);

}  // namespace openenv::bench
