#include "echo_environment.hpp"

#include <openenv/env/episode_id.hpp>

#include <algorithm>

namespace echo {

namespace {

/// Characters, not bytes: of each the first byte counts, its continuations (10xxxxxx) do not.
std::int64_t length_in_characters(const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    });
}

}  // namespace

EchoEnvironment::EchoEnvironment() {
    state_.episode_id = openenv::new_episode_id();
}

EchoObservation EchoEnvironment::reset(const ResetOptions& options) {
    state_.episode_id = options.episode_id ? *options.episode_id : openenv::new_episode_id();
    state_.step_count = 0;
    EchoObservation observation;
    observation.echoed_message = "Echo environment ready!";
    observation.reward = 0.0;
    return observation;
}

EchoObservation EchoEnvironment::step(const EchoAction& action, const StepOptions&) {
    ++state_.step_count;
    EchoObservation observation;
    observation.echoed_message = action.message;
    observation.message_length = length_in_characters(action.message);
    observation.reward = std::min(static_cast<double>(observation.message_length) * 0.1, 1.0);
    observation.metadata =
        openenv::Json::object({{"original_message", action.message}, {"step", state_.step_count}});
    return observation;
}

}  // namespace echo
