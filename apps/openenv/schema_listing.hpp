#pragma once

#include <openenv/base/json.hpp>

#include <string>
#include <string_view>

namespace cli {

/// The fields that a schema describes, for people: name, type, default, limits, description, and
/// the same of the types that it defines. Safe to print; every line begins with `indent`.
[[nodiscard]] std::string list_fields(const openenv::Json& schema, std::string_view indent);

/// A whole answer of /schema: action, observation, state, and the arguments of reset where the
/// server tells them.
[[nodiscard]] std::string list_schemas(const openenv::Json& document);

}  // namespace cli
