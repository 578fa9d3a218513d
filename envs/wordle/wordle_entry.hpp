#pragma once

#include <openenv/env/entry.hpp>

/// The environment `wordle`, for programs that carry it.
[[nodiscard]] openenv::EnvironmentEntry wordle_entry();
