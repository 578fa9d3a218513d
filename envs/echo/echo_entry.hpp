#pragma once

#include <openenv/env/entry.hpp>

/// The environment `echo`, for programs that carry it.
[[nodiscard]] openenv::EnvironmentEntry echo_entry();
