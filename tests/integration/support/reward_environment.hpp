#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/env/environment.hpp>

#include <string>

namespace openenv {
namespace test {

struct RewardAction : Action {
    std::string reward = "null";
    std::string note = "none";

    static constexpr auto fields = openenv::fields(
        field("reward", &RewardAction::reward).or_default(),
        field("note", &RewardAction::note).or_default()
    );
};

/// Gives the reward and the metadata that an action names. Rewards: "null", "true", "int 0",
/// "int 1", "double 0", "double 1", "nan", "inf", "-inf". Notes: "none", "nested".
class RewardEnvironment : public Environment<RewardAction, Observation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    Observation reset(const ResetOptions&) override { return {}; }
    Observation step(const RewardAction& action, const StepOptions&) override;
    [[nodiscard]] const State& state() const override { return state_; }

private:
    State state_;
};

/// The same, for which a reward that is no finite number is an error.
class StrictRewardEnvironment final : public RewardEnvironment {
public:
    static constexpr bool refuses_non_finite_reward = true;
};

[[nodiscard]] EnvironmentEntry reward_entry();
[[nodiscard]] EnvironmentEntry strict_reward_entry();

}  // namespace test
}  // namespace openenv
