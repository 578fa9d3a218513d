#include "builtin_environments.hpp"

#include "classic_control/classic_control_entries.hpp"
#include "echo/echo_entry.hpp"
#include "sleeper/sleeper_entry.hpp"
#include "wordle/wordle_entry.hpp"

std::vector<openenv::EnvironmentEntry> builtin_environments() {
    return {
        acrobot_entry(),
        cartpole_entry(),
        echo_entry(),
        mountain_car_entry(),
        mountain_car_continuous_entry(),
        pendulum_entry(),
        sleeper_entry(),
        wordle_entry(),
    };
}
