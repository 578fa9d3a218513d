#include "pendulum.hpp"

#include "numpy_math.hpp"
#include "start_range.hpp"

#include <algorithm>
#include <cmath>

namespace classic_control {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTopSpeed = 8;
constexpr float kLargestTorque = 2;
constexpr double kTimeStep = 0.05;
// 3 g / (2 l) and 3 / (m l^2) with g = 10, and mass m and length l of 1.
constexpr double kPullOfGravity = 15.0;
constexpr float kPullOfTorque = 3;

/// The same angle in [-pi, pi).
double normalised(double angle) {
    return modulo(angle + kPi, 2 * kPi) - kPi;
}

}  // namespace

PendulumObservation Pendulum::reset(const ResetOptions& options) {
    const auto [angle, speed] = options.args;
    require_start_range(-angle, angle);
    require_start_range(-speed, speed);
    episode_.begin(options.seed, options.episode_id);
    angle_ = episode_.random().uniform(-angle, angle);
    angular_velocity_ = episode_.random().uniform(-speed, speed);
    PendulumObservation seen = observation();
    seen.reward = 0.0;
    return seen;
}

PendulumObservation Pendulum::step(const PendulumAction& action, const StepOptions&) {
    // The torque and what is computed from it alone are of single precision, as in Gymnasium.
    const float torque = std::clamp(action.action, -kLargestTorque, kLargestTorque);
    const double cost = squared(normalised(angle_)) + 0.1 * squared(angular_velocity_) +
                        double{0.001F * squared(torque)};
    angular_velocity_ +=
        (kPullOfGravity * std::sin(angle_) + double{kPullOfTorque * torque}) * kTimeStep;
    angular_velocity_ = std::clamp(angular_velocity_, -kTopSpeed, kTopSpeed);
    angle_ += angular_velocity_ * kTimeStep;

    PendulumObservation seen = observation();
    seen.reward = -cost;
    episode_.end_step(seen);
    return seen;
}

PendulumObservation Pendulum::observation() const {
    PendulumObservation seen;
    seen.observation = {
        static_cast<float>(std::cos(angle_)),
        static_cast<float>(std::sin(angle_)),
        static_cast<float>(angular_velocity_)};
    return seen;
}

}  // namespace classic_control
