#pragma once

#include <openenv/env/entry.hpp>

#include <vector>

/// Every environment that the program carries, by name.
[[nodiscard]] std::vector<openenv::EnvironmentEntry> builtin_environments();
