#pragma once

#include <openenv/base/json.hpp>

#include <string_view>

namespace cli {

/// Reads a JSON object that somebody typed; `where` names the place: "--reset", "action 2".
/// Errors: WrongUsage with the place and what is wrong at which column.
[[nodiscard]] openenv::Json object_from(std::string_view where, std::string_view text);

}  // namespace cli
