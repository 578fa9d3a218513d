#include "cartpole.hpp"

#include "start_range.hpp"

#include <cmath>
#include <numbers>

namespace classic_control {
namespace {

// Units: metres, kilograms, seconds, radians.
constexpr double kGravity = 9.8;
constexpr double kPoleMass = 0.1;
constexpr double kTotalMass = kPoleMass + 1.0;
constexpr double kHalfPole = 0.5;
constexpr double kPoleMoment = kPoleMass * kHalfPole;
constexpr double kForce = 10.0;
constexpr double kTimeStep = 0.02;
constexpr double kFarthestPosition = 2.4;
constexpr double kLargestAngle = 12 * 2 * std::numbers::pi / 360;

}  // namespace

CartPoleObservation CartPole::reset(const ResetOptions& options) {
    const auto [low, high] = options.args;
    require_start_range(low, high);
    episode_.begin(options.seed, options.episode_id);
    position_ = episode_.random().uniform(low, high);
    velocity_ = episode_.random().uniform(low, high);
    angle_ = episode_.random().uniform(low, high);
    angular_velocity_ = episode_.random().uniform(low, high);
    fell_before_ = false;
    return observation();
}

CartPoleObservation CartPole::step(const CartPoleAction& action, const StepOptions&) {
    push(action.action == 1 ? kForce : -kForce);
    CartPoleObservation seen = observation();
    seen.terminated = fallen();
    // The step that lets the pole fall is worth as much as any; those after it are worth nothing.
    seen.reward = seen.terminated && fell_before_ ? 0.0 : 1.0;
    fell_before_ = fell_before_ || seen.terminated;
    episode_.end_step(seen);
    return seen;
}

void CartPole::push(double force) {
    const double cosine = std::cos(angle_);
    const double sine = std::sin(angle_);
    // Written in Gymnasium's order: another one rounds otherwise.
    const double drive =
        (force + kPoleMoment * (angular_velocity_ * angular_velocity_) * sine) / kTotalMass;
    const double angular_acceleration =
        (kGravity * sine - cosine * drive) /
        (kHalfPole * (4.0 / 3.0 - kPoleMass * (cosine * cosine) / kTotalMass));
    const double acceleration = drive - kPoleMoment * angular_acceleration * cosine / kTotalMass;

    position_ += kTimeStep * velocity_;
    velocity_ += kTimeStep * acceleration;
    angle_ += kTimeStep * angular_velocity_;
    angular_velocity_ += kTimeStep * angular_acceleration;
}

bool CartPole::fallen() const {
    return position_ < -kFarthestPosition || position_ > kFarthestPosition ||
           angle_ < -kLargestAngle || angle_ > kLargestAngle;
}

CartPoleObservation CartPole::observation() const {
    CartPoleObservation seen;
    seen.observation = {
        static_cast<float>(position_),
        static_cast<float>(velocity_),
        static_cast<float>(angle_),
        static_cast<float>(angular_velocity_)};
    seen.reward = 0.0;
    return seen;
}

}  // namespace classic_control
