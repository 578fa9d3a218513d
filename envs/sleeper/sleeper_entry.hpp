#pragma once

#include <openenv/env/entry.hpp>

/// The environment `sleeper`, for programs that carry it.
[[nodiscard]] openenv::EnvironmentEntry sleeper_entry();
