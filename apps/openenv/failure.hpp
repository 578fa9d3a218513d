#pragma once

#include <openenv/base/error.hpp>

#include <string>

namespace cli {

/// What went wrong in a call: its text and, line by line, what a server found wrong in an action.
/// Safe to print; ends with a line break.
[[nodiscard]] std::string failure_text(const openenv::Exception& error);

}  // namespace cli
