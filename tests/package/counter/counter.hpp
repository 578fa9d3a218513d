#pragma once

#include <openenv/env/environment.hpp>
#include <openenv/model/field.hpp>

#include <cstdint>

namespace counter {

struct AddAction : openenv::Action {
    std::int64_t amount = 1;

    static constexpr auto fields = openenv::fields(
        openenv::field("amount", &AddAction::amount).or_default().describe("What to add")
    );
};

struct CountObservation : openenv::Observation {
    std::int64_t count = 0;

    static constexpr auto fields =
        openenv::fields(openenv::field("count", &CountObservation::count).describe("The sum so far")
        );
};

/// Counts up to a limit; going beyond it ends the episode without a reward.
class Counter : public openenv::Environment<AddAction, CountObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    CountObservation reset(const ResetOptions& options) override;
    CountObservation step(const AddAction& action, const StepOptions& options) override;
    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
    std::int64_t count_ = 0;
};

}  // namespace counter
