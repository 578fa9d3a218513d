#include "treasure.hpp"

#include <openenv/env/episode_id.hpp>

#include <cstdlib>

namespace treasure {

// [methods]
MoveObservation TreasureHunt::reset(const ResetOptions& options) {
    const int width = options.args.width;
    std::mt19937_64 random(
        options.seed ? static_cast<std::uint64_t>(*options.seed) : std::random_device{}()
    );
    const auto distance = static_cast<int>(random() % static_cast<std::uint64_t>(width)) + 1;
    treasure_ = (random() & 1U) != 0 ? distance : -distance;

    state_ = {};
    state_.episode_id = options.episode_id ? *options.episode_id : openenv::new_episode_id();
    state_.width = width;
    MoveObservation observation;
    observation.hint = "it lies within " + std::to_string(width) + " steps";
    return observation;
}

MoveObservation TreasureHunt::step(const MoveAction& action, const StepOptions&) {
    const int before = std::abs(treasure_ - state_.position);
    state_.position += action.direction == Direction::left ? -action.steps : action.steps;
    ++state_.step_count;
    const int after = std::abs(treasure_ - state_.position);

    MoveObservation observation;
    observation.position = state_.position;
    observation.done = after == 0;
    observation.hint = after == 0 ? "found" : after < before ? "warmer" : "colder";
    observation.reward = after < before ? 1 : -1;
    return observation;
}

std::optional<openenv::EnvironmentMetadata> TreasureHunt::metadata() const {
    openenv::EnvironmentMetadata metadata;
    metadata.name = "treasure";
    metadata.description = "Find a treasure on a line by hints";
    return metadata;
}
// [/methods]

}  // namespace treasure
