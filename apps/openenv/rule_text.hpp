#pragma once

#include "value_rule.hpp"

#include <string>

namespace cli {

// Rules in words, safe to print.

/// "integer", "array of string", "Position", "string or null", "one of "north", "south"".
[[nodiscard]] std::string type_text(const SchemaDocument& document, const ValueRule& rule);

/// "one of "north", "south"", "always "it"": of a choice or a constant.
[[nodiscard]] std::string choices_text(const ValueRule& rule);

/// "from 1 to 10", "at most 20 characters"; empty when there are no limits.
[[nodiscard]] std::string limits_text(const openenv::Json& schema);

/// A value as JSON, shortened.
[[nodiscard]] std::string value_text(const openenv::Json& value);

}  // namespace cli
