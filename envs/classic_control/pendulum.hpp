#pragma once

#include "episode.hpp"
#include "finite_number.hpp"

#include <openenv/env/environment.hpp>

#include <array>
#include <numbers>

namespace classic_control {

struct PendulumAction : openenv::Action {
    float action = 0;

    static constexpr auto fields =
        openenv::fields(openenv::field("action", &PendulumAction::action)
                            .check(finite_number)
                            .describe("The torque: what is below -2 or above 2 is taken as -2 or 2")
        );
};

struct PendulumObservation : ControlObservation {
    std::array<float, 3> observation{};

    static constexpr auto fields = openenv::fields(
        openenv::inherit<ControlObservation>(),
        openenv::field("observation", &PendulumObservation::observation)
            .describe("Cosine and sine of the angle (0 is upright), and the angular velocity")
    );
};

struct PendulumResetArgs {
    double x_init = std::numbers::pi;
    double y_init = 1.0;

    static constexpr auto fields = openenv::fields(
        openenv::field("x_init", &PendulumResetArgs::x_init)
            .ge(0)
            .describe("The largest angle to start with, to either side (radians)")
            .or_default(),
        openenv::field("y_init", &PendulumResetArgs::y_init)
            .ge(0)
            .describe("The largest angular velocity to start with, in either direction")
            .or_default()
    );
};

/// Pendulum-v1: swing a pendulum up and keep it there. README.md has the contract.
class Pendulum final
    : public openenv::Environment<PendulumAction, PendulumObservation, PendulumResetArgs> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;
    static constexpr bool requires_reset = true;

    PendulumObservation reset(const ResetOptions& options) override;
    PendulumObservation step(const PendulumAction& action, const StepOptions& options) override;
    [[nodiscard]] const ControlState& state() const override { return episode_.state(); }

private:
    [[nodiscard]] PendulumObservation observation() const;

    Episode episode_{"Pendulum-v1", 200};
    double angle_ = 0;
    double angular_velocity_ = 0;
};

}  // namespace classic_control
