#pragma once

#include <openenv/env/environment.hpp>

#include <cstdint>
#include <random>
#include <string>

namespace treasure {

// [messages]
enum class Direction { left, right };

constexpr auto enum_names(Direction) {
    return openenv::names<Direction>({{Direction::left, "left"}, {Direction::right, "right"}});
}

struct MoveAction : openenv::Action {
    Direction direction = Direction::left;
    int steps = 1;

    static constexpr auto fields = openenv::fields(
        openenv::field("direction", &MoveAction::direction).describe("Where to walk"),
        openenv::field("steps", &MoveAction::steps).describe("How far").ge(1).le(5).or_default()
    );
};

struct MoveObservation : openenv::Observation {
    int position = 0;
    std::string hint;

    static constexpr auto fields = openenv::fields(
        openenv::field("position", &MoveObservation::position),
        openenv::field("hint", &MoveObservation::hint).describe("warmer, colder or found")
    );
};
// [/messages]

// [arguments]
struct HuntArguments {
    int width = 20;

    static constexpr auto fields =
        openenv::fields(openenv::field("width", &HuntArguments::width)
                            .describe("The treasure lies at most so far from the start")
                            .ge(1)
                            .le(1000)
                            .or_default());
};

struct HuntState : openenv::State {
    int position = 0;
    int width = 20;

    static constexpr auto fields = openenv::fields(
        openenv::field("position", &HuntState::position).or_default(),
        openenv::field("width", &HuntState::width).or_default()
    );
};
// [/arguments]

// [environment]
/// A treasure lies somewhere on a line; walking towards it is worth 1, away from it -1.
class TreasureHunt : public openenv::Environment<MoveAction, MoveObservation, HuntArguments> {
public:
    static constexpr bool supports_concurrent_sessions = true;
    static constexpr bool requires_reset = true;

    MoveObservation reset(const ResetOptions& options) override;
    MoveObservation step(const MoveAction& action, const StepOptions& options) override;
    const HuntState& state() const override { return state_; }
    std::optional<openenv::EnvironmentMetadata> metadata() const override;

private:
    HuntState state_;
    int treasure_ = 0;
};
// [/environment]

}  // namespace treasure
