#include "mountain_car_continuous.hpp"

#include "start_range.hpp"

#include <algorithm>
#include <cmath>

namespace classic_control {
namespace {

constexpr double kLeftEnd = -1.2;
constexpr double kRightEnd = 0.6;
constexpr double kGoal = 0.45;
constexpr double kTopSpeed = 0.07;
constexpr double kPower = 0.0015;
constexpr double kGravity = 0.0025;

/// What an action does to the velocity. Its own value counts in single precision; what stands in
/// for one out of range is a Python number, and so counts in double precision.
double acceleration(float action, double slope) {
    if (action > 1.0F) {
        return kPower - slope;
    }
    if (action < -1.0F) {
        return -kPower - slope;
    }
    return action * static_cast<float>(kPower) - static_cast<float>(slope);
}

/// One step in the precision of the car's place. Returns whether it is at the goal.
template <class Real>
bool drive(Real& position, Real& velocity, float action) {
    constexpr auto kFastest = static_cast<Real>(kTopSpeed);
    constexpr auto kLeft = static_cast<Real>(kLeftEnd);
    constexpr auto kRight = static_cast<Real>(kRightEnd);
    const double slope = kGravity * std::cos(double{3 * position});
    velocity += static_cast<Real>(acceleration(action, slope));
    velocity = std::clamp(velocity, -kFastest, kFastest);
    position = std::clamp(position + velocity, kLeft, kRight);
    if (position == kLeft && velocity < 0) {
        velocity = 0;
    }
    return position >= static_cast<Real>(kGoal) && velocity >= 0;
}

}  // namespace

MountainCarContinuousObservation MountainCarContinuous::reset(const ResetOptions& options) {
    const auto [low, high] = options.args;
    require_start_range(low, high);
    episode_.begin(options.seed, options.episode_id);
    start_ = episode_.random().uniform(low, high);
    MountainCarContinuousObservation seen;
    seen.observation = {static_cast<float>(start_), 0};
    seen.reward = 0.0;
    return seen;
}

MountainCarContinuousObservation
MountainCarContinuous::step(const MountainCarContinuousAction& action, const StepOptions&) {
    MountainCarContinuousObservation seen;
    if (episode_.state().step_count == 0) {
        double position = start_;
        double velocity = 0;
        seen.terminated = drive(position, velocity, action.action);
        position_ = static_cast<float>(position);
        velocity_ = static_cast<float>(velocity);
    } else {
        seen.terminated = drive(position_, velocity_, action.action);
    }
    const double force = action.action;
    seen.reward = (seen.terminated ? 100.0 : 0.0) - force * force * 0.1;
    seen.observation = {position_, velocity_};
    episode_.end_step(seen);
    return seen;
}

}  // namespace classic_control
