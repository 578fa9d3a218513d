#pragma once

#include "support/gate.hpp"

#include <openenv/client/vector_env.hpp>
#include <openenv/env/entry.hpp>
#include <openenv/env/environment.hpp>
#include <openenv/env/typed_environment.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>

namespace openenv {
namespace test {

struct WalkAction : Action {
    std::int64_t by = 1;

    static constexpr auto fields = openenv::fields(field("by", &WalkAction::by));
};

struct WalkObservation : Observation {
    std::int64_t at = 0;
    bool truncated = false;

    static constexpr auto fields = openenv::fields(
        field("at", &WalkObservation::at),
        field("truncated", &WalkObservation::truncated).or_default()
    );
};

/// A walk from the seed on: it terminates at 10 and beyond, and is truncated after the fifth step.
/// A step by -1 throws, one by -2 waits at the gate; the extra argument `more` is added.
class WalkEnvironment final : public Environment<WalkAction, WalkObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    explicit WalkEnvironment(Gate& gate) : gate_(gate) {}

    WalkObservation reset(const ResetOptions& options) override {
        state_ = {};
        at_ = options.seed.value_or(0);
        return seen();
    }
    WalkObservation step(const WalkAction& action, const StepOptions& options) override {
        if (action.by == -1) {
            throw std::invalid_argument("no way back");
        }
        if (action.by == -2) {
            gate_.pass();
        }
        ++state_.step_count;
        at_ += action.by;
        if (const Json* more = options.extra.find("more")) {
            at_ += more->as_int64();
        }
        WalkObservation observation = seen();
        observation.reward = static_cast<double>(action.by);
        observation.truncated = state_.step_count == 5;
        observation.done = observation.truncated || at_ >= 10;
        return observation;
    }
    [[nodiscard]] const State& state() const override { return state_; }

private:
    [[nodiscard]] WalkObservation seen() const {
        WalkObservation observation;
        observation.at = at_;
        return observation;
    }

    Gate& gate_;
    State state_;
    std::int64_t at_ = 0;
};

[[nodiscard]] inline EnvironmentEntry walk_entry(Gate& gate) {
    return environment_entry<WalkEnvironment>("walk", [&gate] {
        return std::make_unique<WalkEnvironment>(gate);
    });
}

using Walkers = VectorEnv<WalkAction, WalkObservation>;

/// One action for each.
[[nodiscard]] inline std::vector<WalkAction> walk(std::initializer_list<std::int64_t> by) {
    std::vector<WalkAction> actions;
    for (const std::int64_t one : by) {
        actions.emplace_back().by = one;
    }
    return actions;
}

}  // namespace test
}  // namespace openenv
