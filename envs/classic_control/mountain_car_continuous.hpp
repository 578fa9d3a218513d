#pragma once

#include "episode.hpp"
#include "finite_number.hpp"
#include "mountain_car_start.hpp"

#include <openenv/env/environment.hpp>

#include <array>

namespace classic_control {

struct MountainCarContinuousAction : openenv::Action {
    float action = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("action", &MountainCarContinuousAction::action)
            .check(finite_number)
            .describe("The force: what is below -1 or above 1 acts as -1 or 1, and costs its square"
            )
    );
};

struct MountainCarContinuousObservation : ControlObservation {
    std::array<float, 2> observation{};

    static constexpr auto fields = openenv::fields(
        openenv::inherit<ControlObservation>(),
        openenv::field("observation", &MountainCarContinuousObservation::observation)
            .describe("Position (the goal is at 0.45) and velocity of the car")
    );
};

/// MountainCarContinuous-v0: the same valley, with a force of any size. README.md has the contract.
class MountainCarContinuous final : public openenv::Environment<
                                        MountainCarContinuousAction,
                                        MountainCarContinuousObservation,
                                        MountainCarResetArgs> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;
    static constexpr bool requires_reset = true;

    MountainCarContinuousObservation reset(const ResetOptions& options) override;
    MountainCarContinuousObservation step(
        const MountainCarContinuousAction& action, const StepOptions& options
    ) override;
    [[nodiscard]] const ControlState& state() const override { return episode_.state(); }

private:
    Episode episode_{"MountainCarContinuous-v0", 999};
    // Gymnasium draws the start in double precision, computes the first step with it, and keeps
    // single precision from then on.
    double start_ = 0;
    float position_ = 0;
    float velocity_ = 0;
};

}  // namespace classic_control
