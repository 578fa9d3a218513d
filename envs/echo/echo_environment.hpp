#pragma once

#include <openenv/env/environment.hpp>

#include <cstdint>
#include <string>

namespace echo {

struct EchoAction : openenv::Action {
    std::string message;

    static constexpr auto fields = openenv::fields(
        openenv::field("message", &EchoAction::message).describe("The text to send back")
    );
};

struct EchoObservation : openenv::Observation {
    std::string echoed_message;
    std::int64_t message_length = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("echoed_message", &EchoObservation::echoed_message)
            .describe("The text that was sent")
            .or_default(),
        openenv::field("message_length", &EchoObservation::message_length)
            .describe("Its length in characters")
            .or_default()
    );
};

/// Sends every message back. A character is worth 0.1, a message at most 1.
class EchoEnvironment final : public openenv::Environment<EchoAction, EchoObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr openenv::Execution execution = openenv::Execution::inline_fast;

    EchoEnvironment();

    EchoObservation reset(const ResetOptions& options) override;
    EchoObservation step(const EchoAction& action, const StepOptions& options) override;
    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
};

}  // namespace echo
