#pragma once

#include <string>

/// Asks the program at `path` to describe itself (`--describe`) and checks that it serves an
/// environment the way `openenv::serve` does. Blocking: at most 10 seconds.
/// Errors: ConfigError that says what the file is instead.
void require_environment_program(const std::string& path);
