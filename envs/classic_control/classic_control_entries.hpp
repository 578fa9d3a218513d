#pragma once

#include <openenv/env/entry.hpp>

#include <vector>

// Gymnasium's classic control, for programs that carry it: a function for each environment.

[[nodiscard]] openenv::EnvironmentEntry acrobot_entry();
[[nodiscard]] openenv::EnvironmentEntry cartpole_entry();
[[nodiscard]] openenv::EnvironmentEntry mountain_car_entry();
[[nodiscard]] openenv::EnvironmentEntry mountain_car_continuous_entry();
[[nodiscard]] openenv::EnvironmentEntry pendulum_entry();

/// All of them, by name.
[[nodiscard]] std::vector<openenv::EnvironmentEntry> classic_control_entries();
