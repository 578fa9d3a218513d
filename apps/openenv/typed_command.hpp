#pragma once

#include <string>
#include <string_view>

namespace cli {

/// A line such as ":reset {"seed": 7}" that answers no question.
struct Command {
    std::string name;  ///< without the colon
    std::string rest;
};

/// Takes a command apart; the line begins with a colon.
[[nodiscard]] Command read_command(std::string_view line);

}  // namespace cli
