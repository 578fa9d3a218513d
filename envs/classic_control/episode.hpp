#pragma once

#include "numpy_generator.hpp"

#include <openenv/env/types.hpp>
#include <openenv/model/field.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace classic_control {

/// How the episode stands, beside what is seen. Derive and add what is seen.
struct ControlObservation : openenv::Observation {
    bool terminated = false;
    bool truncated = false;

    static constexpr auto fields = openenv::fields(
        openenv::field("terminated", &ControlObservation::terminated)
            .describe("The task itself ended: a goal was reached, or a limit left")
            .or_default(),
        openenv::field("truncated", &ControlObservation::truncated)
            .describe("The number of steps reached its limit; says nothing about the task")
            .or_default()
    );
};

struct ControlState : openenv::State {
    std::string env_id;
    std::int64_t max_episode_steps = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("env_id", &ControlState::env_id).describe("The name in Gymnasium"),
        openenv::field("max_episode_steps", &ControlState::max_episode_steps)
            .describe("The step that truncates an episode")
    );
};

/// What every environment here keeps: names, the count of steps, and random numbers. The generator
/// outlives the episode: as in Gymnasium, a reset without a seed draws on where the last one ended.
class Episode {
public:
    /// `env_id` is the name in Gymnasium, `max_steps` the step that truncates.
    Episode(const char* env_id, std::int64_t max_steps);

    /// Starts an episode. The first without a seed gets one at random.
    /// Errors: throws UserError for a negative seed; nothing has changed then.
    void begin(std::optional<std::int64_t> seed, const std::optional<std::string>& episode_id);

    /// After begin: where random numbers come from.
    [[nodiscard]] NumpyGenerator& random() { return *random_; }

    /// Counts a step, and fills in what follows from the count and `terminated`.
    void end_step(ControlObservation& observation);

    [[nodiscard]] const ControlState& state() const { return state_; }

private:
    ControlState state_;
    std::optional<NumpyGenerator> random_;
};

}  // namespace classic_control
