#pragma once

#include "episode.hpp"

#include <openenv/env/environment.hpp>

#include <array>

namespace classic_control {

struct CartPoleAction : openenv::Action {
    int action = 0;

    static constexpr auto fields = openenv::fields(openenv::field("action", &CartPoleAction::action)
                                                       .ge(0)
                                                       .le(1)
                                                       .describe("0 pushes left, 1 right"));
};

struct CartPoleObservation : ControlObservation {
    std::array<float, 4> observation{};

    static constexpr auto fields = openenv::fields(
        openenv::inherit<ControlObservation>(),
        openenv::field("observation", &CartPoleObservation::observation)
            .describe(
                "Position and velocity of the cart, angle (radians, 0 is upright) and angular "
                "velocity of the pole"
            )
    );
};

struct CartPoleResetArgs {
    double low = -0.05;
    double high = 0.05;

    static constexpr auto fields = openenv::fields(
        openenv::field("low", &CartPoleResetArgs::low)
            .describe("The least that each of the four numbers starts with")
            .or_default(),
        openenv::field("high", &CartPoleResetArgs::high)
            .describe("The bound that they stay below")
            .or_default()
    );
};

/// CartPole-v1: balance a pole on a cart that is pushed left or right. README.md has the contract.
class CartPole final
    : public openenv::Environment<CartPoleAction, CartPoleObservation, CartPoleResetArgs> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;
    static constexpr bool requires_reset = true;

    CartPoleObservation reset(const ResetOptions& options) override;
    CartPoleObservation step(const CartPoleAction& action, const StepOptions& options) override;
    [[nodiscard]] const ControlState& state() const override { return episode_.state(); }

private:
    void push(double force);
    [[nodiscard]] bool fallen() const;
    [[nodiscard]] CartPoleObservation observation() const;

    Episode episode_{"CartPole-v1", 500};
    double position_ = 0;
    double velocity_ = 0;
    double angle_ = 0;
    double angular_velocity_ = 0;
    bool fell_before_ = false;
};

}  // namespace classic_control
