#include "integration/support/reward_environment.hpp"

#include <openenv/env/typed_environment.hpp>

#include <limits>
#include <map>

namespace openenv {
namespace test {

namespace {

Reward reward_called(const std::string& name) {
    using Limits = std::numeric_limits<double>;
    const std::map<std::string, Reward> known{
        {"null", Reward()},
        {"true", true},
        {"int 0", 0},
        {"int 1", 1},
        {"double 0", 0.0},
        {"double 1", 1.0},
        {"nan", Limits::quiet_NaN()},
        {"inf", Limits::infinity()},
        {"-inf", -Limits::infinity()},
    };
    return known.at(name);
}

}  // namespace

Observation RewardEnvironment::step(const RewardAction& action, const StepOptions&) {
    ++state_.step_count;
    Observation observation;
    observation.reward = reward_called(action.reward);
    if (action.note == "nested") {
        observation.metadata["a"]["b"] = Json::array({1, nullptr});
    }
    return observation;
}

EnvironmentEntry reward_entry() {
    return environment_entry<RewardEnvironment>("reward");
}

EnvironmentEntry strict_reward_entry() {
    return environment_entry<StrictRewardEnvironment>("strict reward");
}

}  // namespace test
}  // namespace openenv
