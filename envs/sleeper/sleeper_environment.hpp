#pragma once

#include <openenv/env/async_environment.hpp>

#include <cstdint>
#include <string>

namespace sleeper {

struct SleepAction : openenv::Action {
    double seconds = 0;
    std::int64_t payload_bytes = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("seconds", &SleepAction::seconds)
            .describe("How long to wait before answering")
            .ge(0)
            .le(3600),
        openenv::field("payload_bytes", &SleepAction::payload_bytes)
            .describe("The size of the text in the answer")
            .ge(0)
            .le(16 * 1024 * 1024)
            .or_default()
    );
};

struct SleepObservation : openenv::Observation {
    double slept_seconds = 0;
    std::string payload;

    static constexpr auto fields = openenv::fields(
        openenv::field("slept_seconds", &SleepObservation::slept_seconds)
            .describe("How long the step waited")
            .or_default(),
        openenv::field("payload", &SleepObservation::payload)
            .describe("A text of the size that was asked for")
            .or_default()
    );
};

/// Waits as long as it is told, and holds no thread meanwhile.
class SleeperEnvironment final : public openenv::AsyncEnvironment<SleepAction, SleepObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    SleeperEnvironment();

    openenv::Task<SleepObservation> reset(ResetOptions options) override;
    openenv::Task<SleepObservation> step(SleepAction action, StepOptions options) override;
    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
};

}  // namespace sleeper
