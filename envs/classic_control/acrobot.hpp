#pragma once

#include "episode.hpp"

#include <openenv/env/environment.hpp>

#include <array>

namespace classic_control {

struct AcrobotAction : openenv::Action {
    int action = 0;

    static constexpr auto fields =
        openenv::fields(openenv::field("action", &AcrobotAction::action)
                            .ge(0)
                            .le(2)
                            .describe("The torque on the joint between the links: 0 is -1, 1 is 0, "
                                      "2 is 1"));
};

struct AcrobotObservation : ControlObservation {
    std::array<float, 6> observation{};

    static constexpr auto fields = openenv::fields(
        openenv::inherit<ControlObservation>(),
        openenv::field("observation", &AcrobotObservation::observation)
            .describe(
                "Cosine and sine of the first link's angle (0 hangs down), cosine and sine of the "
                "second's against the first, and both angular velocities"
            )
    );
};

struct AcrobotResetArgs {
    double low = -0.1;
    double high = 0.1;

    static constexpr auto fields = openenv::fields(
        openenv::field("low", &AcrobotResetArgs::low)
            .describe("The least that angles and angular velocities start with")
            .or_default(),
        openenv::field("high", &AcrobotResetArgs::high)
            .describe("The bound that they stay below")
            .or_default()
    );
};

/// Acrobot-v1: swing two links up by the joint between them. README.md has the contract.
class Acrobot final
    : public openenv::Environment<AcrobotAction, AcrobotObservation, AcrobotResetArgs> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;
    static constexpr bool requires_reset = true;

    /// Two angles, and their velocities.
    using Motion = std::array<double, 4>;

    AcrobotObservation reset(const ResetOptions& options) override;
    AcrobotObservation step(const AcrobotAction& action, const StepOptions& options) override;
    [[nodiscard]] const ControlState& state() const override { return episode_.state(); }

private:
    Episode episode_{"Acrobot-v1", 500};
    Motion motion_{};
};

}  // namespace classic_control
