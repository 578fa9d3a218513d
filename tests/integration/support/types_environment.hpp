#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/env/environment.hpp>
#include <openenv/model/bytes.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace openenv {
namespace test {

/// Numbers, also those that JSON has no word for.
struct TypesAction : Action {
    double number = 0.0;
    std::vector<double> numbers;
    std::string what;

    static constexpr auto fields = openenv::fields(
        field("number", &TypesAction::number).or_default(),
        field("numbers", &TypesAction::numbers).or_default(),
        field("what", &TypesAction::what).or_default()
    );
};

using Grid = std::vector<std::vector<double>>;

/// One value of every kind that a vendor's library may hand out.
struct TypesObservation : Observation {
    std::uint64_t large = 0;
    std::int8_t small = 0;
    std::vector<bool> flags;
    Grid grid;
    std::vector<double> nothing;
    Grid no_rows;
    std::array<std::int64_t, 2> pair{};
    Bytes bytes;
    double number = 0.0;
    float single = 0.0F;
    std::vector<double> numbers;
    std::vector<std::vector<std::vector<Grid>>> deep;
    Json any;

    static constexpr auto fields = openenv::fields(
        field("large", &TypesObservation::large),
        field("small", &TypesObservation::small),
        field("flags", &TypesObservation::flags),
        field("grid", &TypesObservation::grid),
        field("nothing", &TypesObservation::nothing),
        field("no_rows", &TypesObservation::no_rows),
        field("pair", &TypesObservation::pair),
        field("bytes", &TypesObservation::bytes),
        field("number", &TypesObservation::number),
        field("single", &TypesObservation::single),
        field("numbers", &TypesObservation::numbers),
        field("deep", &TypesObservation::deep),
        field("any", &TypesObservation::any)
    );
};

/// Answers with fixed values of every kind, and sends the numbers of an action back: as they are,
/// as a float, in a list, five lists deep and in a Json. "bad text" answers with text that is not
/// UTF-8.
class TypesEnvironment final : public Environment<TypesAction, TypesObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    TypesObservation reset(const ResetOptions&) override { return {}; }
    TypesObservation step(const TypesAction& action, const StepOptions&) override;
    [[nodiscard]] const State& state() const override { return state_; }

private:
    State state_;
};

[[nodiscard]] EnvironmentEntry types_entry();

}  // namespace test
}  // namespace openenv
