#include "classic_control_entries.hpp"

#include "acrobot.hpp"
#include "cartpole.hpp"
#include "mountain_car.hpp"
#include "mountain_car_continuous.hpp"
#include "pendulum.hpp"

#include <openenv/env/typed_environment.hpp>

namespace {

template <class E>
openenv::EnvironmentEntry entry_of(const char* name, const char* summary) {
    auto entry = openenv::environment_entry<E>(name);
    entry.summary = summary;
    return entry;
}

}  // namespace

openenv::EnvironmentEntry acrobot_entry() {
    return entry_of<classic_control::Acrobot>(
        "acrobot", "Swing two links up by the joint between them; Gymnasium's Acrobot-v1"
    );
}

openenv::EnvironmentEntry cartpole_entry() {
    return entry_of<classic_control::CartPole>(
        "cartpole", "Balance a pole on a cart; Gymnasium's CartPole-v1"
    );
}

openenv::EnvironmentEntry mountain_car_entry() {
    return entry_of<classic_control::MountainCar>(
        "mountain_car", "Swing a weak car out of a valley; Gymnasium's MountainCar-v0"
    );
}

openenv::EnvironmentEntry mountain_car_continuous_entry() {
    return entry_of<classic_control::MountainCarContinuous>(
        "mountain_car_continuous", "The same with any force; Gymnasium's MountainCarContinuous-v0"
    );
}

openenv::EnvironmentEntry pendulum_entry() {
    return entry_of<classic_control::Pendulum>(
        "pendulum", "Swing a pendulum up and keep it there; Gymnasium's Pendulum-v1"
    );
}

std::vector<openenv::EnvironmentEntry> classic_control_entries() {
    return {
        acrobot_entry(),
        cartpole_entry(),
        mountain_car_entry(),
        mountain_car_continuous_entry(),
        pendulum_entry(),
    };
}
