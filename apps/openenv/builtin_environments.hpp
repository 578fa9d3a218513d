#pragma once

#include <vector>

#include <openenv/env/entry.hpp>

/// Every environment that the program carries, by name.
[[nodiscard]] std::vector<openenv::EnvironmentEntry> builtin_environments();
