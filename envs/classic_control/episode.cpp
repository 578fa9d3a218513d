#include "episode.hpp"

#include <openenv/base/error.hpp>
#include <openenv/env/episode_id.hpp>

#include <random>

namespace classic_control {
namespace {

std::uint64_t random_seed() {
    std::random_device device;
    const std::uint64_t high = device();
    return high << 32U | device();
}

}  // namespace

Episode::Episode(const char* env_id, std::int64_t max_steps) {
    state_.env_id = env_id;
    state_.max_episode_steps = max_steps;
}

void Episode::begin(
    std::optional<std::int64_t> seed, const std::optional<std::string>& episode_id
) {
    if (seed && *seed < 0) {
        throw openenv::UserError(
            "the seed must be at least 0, and " + std::to_string(*seed) + " is not"
        );
    }
    if (seed) {
        random_.emplace(static_cast<std::uint64_t>(*seed));
    } else if (!random_) {
        random_.emplace(random_seed());
    }
    state_.episode_id = episode_id ? *episode_id : openenv::new_episode_id();
    state_.step_count = 0;
}

void Episode::end_step(ControlObservation& observation) {
    ++state_.step_count;
    observation.truncated = state_.step_count >= state_.max_episode_steps;
    observation.done = observation.terminated || observation.truncated;
}

}  // namespace classic_control
