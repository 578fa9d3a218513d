#include "counter.hpp"

namespace counter {
namespace {

constexpr std::int64_t kLimit = 10;

}  // namespace

CountObservation Counter::reset(const ResetOptions& options) {
    count_ = 0;
    state_ = openenv::State{};
    state_.episode_id = options.episode_id;
    return CountObservation{};
}

CountObservation Counter::step(const AddAction& action, const StepOptions&) {
    count_ += action.amount;
    ++state_.step_count;
    CountObservation observation;
    observation.count = count_;
    observation.done = count_ >= kLimit;
    observation.reward = count_ == kLimit ? 1.0 : 0.0;
    return observation;
}

}  // namespace counter
