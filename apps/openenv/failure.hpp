#pragma once

#include <openenv/base/error.hpp>

#include <functional>
#include <stdexcept>
#include <string>

namespace cli {

/// What was typed, on the command line or in a script, is wrong; the text says where.
class WrongUsage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What went wrong in a call: its text and, line by line, what a server found wrong in an action.
/// Safe to print; ends with a line break.
[[nodiscard]] std::string failure_text(const openenv::Exception& error);

/// Runs a command. What it throws becomes a text on standard error and an exit code.
[[nodiscard]] int guarded(const std::function<int()>& command);

}  // namespace cli
