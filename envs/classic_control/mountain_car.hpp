#pragma once

#include "episode.hpp"
#include "mountain_car_start.hpp"

#include <openenv/env/environment.hpp>

#include <array>

namespace classic_control {

struct MountainCarAction : openenv::Action {
    int action = 0;

    static constexpr auto fields =
        openenv::fields(openenv::field("action", &MountainCarAction::action)
                            .ge(0)
                            .le(2)
                            .describe("0 accelerates to the left, 1 not at all, 2 to the right"));
};

struct MountainCarObservation : ControlObservation {
    std::array<float, 2> observation{};

    static constexpr auto fields = openenv::fields(
        openenv::inherit<ControlObservation>(),
        openenv::field("observation", &MountainCarObservation::observation)
            .describe("Position (the goal is at 0.5) and velocity of the car")
    );
};

/// MountainCar-v0: swing a car that is too weak out of a valley. README.md has the contract.
class MountainCar final
    : public openenv::Environment<MountainCarAction, MountainCarObservation, MountainCarResetArgs> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;
    static constexpr bool requires_reset = true;

    MountainCarObservation reset(const ResetOptions& options) override;
    MountainCarObservation step(const MountainCarAction& action, const StepOptions& options)
        override;
    [[nodiscard]] const ControlState& state() const override { return episode_.state(); }

private:
    [[nodiscard]] MountainCarObservation observation() const;

    Episode episode_{"MountainCar-v0", 200};
    double position_ = 0;
    double velocity_ = 0;
};

}  // namespace classic_control
