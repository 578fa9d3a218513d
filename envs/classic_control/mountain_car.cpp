#include "mountain_car.hpp"

#include "start_range.hpp"

#include <algorithm>
#include <cmath>

namespace classic_control {
namespace {

constexpr double kLeftEnd = -1.2;
constexpr double kRightEnd = 0.6;
constexpr double kGoal = 0.5;
constexpr double kTopSpeed = 0.07;
constexpr double kForce = 0.001;
constexpr double kGravity = 0.0025;

}  // namespace

MountainCarObservation MountainCar::reset(const ResetOptions& options) {
    const auto [low, high] = options.args;
    require_start_range(low, high);
    episode_.begin(options.seed, options.episode_id);
    position_ = episode_.random().uniform(low, high);
    velocity_ = 0;
    MountainCarObservation seen = observation();
    seen.reward = 0.0;
    return seen;
}

MountainCarObservation MountainCar::step(const MountainCarAction& action, const StepOptions&) {
    velocity_ += (action.action - 1) * kForce + std::cos(3 * position_) * -kGravity;
    velocity_ = std::clamp(velocity_, -kTopSpeed, kTopSpeed);
    position_ = std::clamp(position_ + velocity_, kLeftEnd, kRightEnd);
    if (position_ == kLeftEnd && velocity_ < 0) {
        velocity_ = 0;
    }
    MountainCarObservation seen = observation();
    seen.terminated = position_ >= kGoal && velocity_ >= 0;
    seen.reward = -1.0;
    episode_.end_step(seen);
    return seen;
}

MountainCarObservation MountainCar::observation() const {
    MountainCarObservation seen;
    seen.observation = {static_cast<float>(position_), static_cast<float>(velocity_)};
    return seen;
}

}  // namespace classic_control
