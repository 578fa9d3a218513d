#pragma once

#include "treasure.hpp"

#include <openenv/env/transform.hpp>

#include <memory>

namespace treasure {

// [transform]
/// Every step costs a little, so that the shortest way is the best one.
class StepCost final : public openenv::Transform<MoveObservation> {
public:
    explicit StepCost(double cost) : cost_(cost) {}
    void apply(MoveObservation& observation) const override {
        observation.reward = observation.reward.as_number() - cost_;
    }

private:
    double cost_;
};

/// As the last argument of openenv::serve it takes the place of the default constructor.
inline std::unique_ptr<TreasureHunt> hunt_with_step_cost() {
    auto hunt = std::make_unique<TreasureHunt>();
    hunt->set_transform(std::make_shared<const StepCost>(0.25));
    return hunt;
}
// [/transform]

}  // namespace treasure
