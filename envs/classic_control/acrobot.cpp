#include "acrobot.hpp"

#include "numpy_math.hpp"
#include "start_range.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace classic_control {
namespace {

using Motion = Acrobot::Motion;

constexpr double kPi = std::numbers::pi;
constexpr double kGravity = 9.8;
constexpr double kTimeStep = 0.2;
constexpr double kTopSpeedFirst = 4 * kPi;
constexpr double kTopSpeedSecond = 9 * kPi;

/// How the motion changes, by the equations of Sutton and Barto's book, for links of length, mass
/// and moment of inertia 1 whose centres are half way. In Gymnasium's order: another one rounds
/// otherwise.
Motion change_of(const Motion& motion, double torque) {
    const auto [angle1, angle2, velocity1, velocity2] = motion;
    const double cosine2 = std::cos(angle2);
    const double sine2 = std::sin(angle2);
    const double inertia1 = 0.25 + (1.25 + cosine2) + 1.0 + 1.0;
    const double inertia2 = 0.25 + 0.5 * cosine2 + 1.0;
    const double pull2 = 0.5 * kGravity * std::cos(angle1 + angle2 - kPi / 2.0);
    const double pull1 = -0.5 * squared(velocity2) * sine2 - velocity2 * velocity1 * sine2 +
                         1.5 * kGravity * std::cos(angle1 - kPi / 2.0) + pull2;
    const double acceleration2 =
        (torque + inertia2 / inertia1 * pull1 - 0.5 * squared(velocity1) * sine2 - pull2) /
        (0.25 + 1.0 - squared(inertia2) / inertia1);
    const double acceleration1 = -(inertia2 * acceleration2 + pull1) / inertia1;
    return {velocity1, velocity2, acceleration1, acceleration2};
}

Motion moved(const Motion& motion, double time, const Motion& change) {
    Motion result = motion;
    for (std::size_t i = 0; i != result.size(); ++i) {
        result[i] += time * change[i];
    }
    return result;
}

/// One step of the classical Runge-Kutta method.
Motion after_step(const Motion& motion, double torque) {
    const Motion k1 = change_of(motion, torque);
    const Motion k2 = change_of(moved(motion, kTimeStep / 2.0, k1), torque);
    const Motion k3 = change_of(moved(motion, kTimeStep / 2.0, k2), torque);
    const Motion k4 = change_of(moved(motion, kTimeStep, k3), torque);
    Motion mean{};
    for (std::size_t i = 0; i != mean.size(); ++i) {
        mean[i] = k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i];
    }
    return moved(motion, kTimeStep / 6.0, mean);
}

/// The same angle in [-pi, pi], turn by turn as in Gymnasium. Angles of very many turns, which
/// only a start far out of the ordinary leads to, would keep such a loop busy for ever.
double wrapped(double angle) {
    constexpr double kTurn = kPi - -kPi;
    constexpr double kManyTurns = 1000 * kTurn;
    if (!(std::abs(angle) <= kManyTurns)) {
        return std::remainder(angle, kTurn);
    }
    while (angle > kPi) {
        angle -= kTurn;
    }
    while (angle < -kPi) {
        angle += kTurn;
    }
    return angle;
}

bool raised(const Motion& motion) {
    return -std::cos(motion[0]) - std::cos(motion[1] + motion[0]) > 1.0;
}

}  // namespace

AcrobotObservation Acrobot::reset(const ResetOptions& options) {
    const auto [low, high] = options.args;
    require_start_range(low, high);
    episode_.begin(options.seed, options.episode_id);
    // The start is of single precision, and so are the sines and cosines that show it.
    std::array<float, 4> start{};
    for (std::size_t i = 0; i != start.size(); ++i) {
        start[i] = static_cast<float>(episode_.random().uniform(low, high));
        motion_[i] = start[i];
    }
    AcrobotObservation seen;
    seen.observation = {
        single_cos(start[0]),
        single_sin(start[0]),
        single_cos(start[1]),
        single_sin(start[1]),
        start[2],
        start[3]};
    seen.reward = 0.0;
    return seen;
}

AcrobotObservation Acrobot::step(const AcrobotAction& action, const StepOptions&) {
    motion_ = after_step(motion_, action.action - 1);
    motion_[0] = wrapped(motion_[0]);
    motion_[1] = wrapped(motion_[1]);
    motion_[2] = std::clamp(motion_[2], -kTopSpeedFirst, kTopSpeedFirst);
    motion_[3] = std::clamp(motion_[3], -kTopSpeedSecond, kTopSpeedSecond);

    AcrobotObservation seen;
    seen.observation = {
        static_cast<float>(std::cos(motion_[0])),
        static_cast<float>(std::sin(motion_[0])),
        static_cast<float>(std::cos(motion_[1])),
        static_cast<float>(std::sin(motion_[1])),
        static_cast<float>(motion_[2]),
        static_cast<float>(motion_[3])};
    seen.terminated = raised(motion_);
    seen.reward = seen.terminated ? 0.0 : -1.0;
    episode_.end_step(seen);
    return seen;
}

}  // namespace classic_control
