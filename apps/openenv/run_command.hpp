#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace cli {

/// Reads the command line into what `app` declares, and runs the command. A command line that is
/// wrong, and what the command throws, become a text on standard error and an exit code; --help is
/// answered. Returns the exit code.
[[nodiscard]] int run_command(
    CLI::App& app, int argc, const char* const* argv, const std::function<int()>& command
);

}  // namespace cli
