#pragma once

#include <openenv/client/env_client.hpp>

namespace openenv {
namespace test {

struct CountAction : Action {
    int amount = 1;

    static constexpr auto fields = openenv::fields(field("amount", &CountAction::amount));
};

struct CountObservation : Observation {
    int count = 0;

    static constexpr auto fields =
        openenv::fields(field("count", &CountObservation::count).or_default());
};

/// A typed client with a function of its own.
class CountClient : public EnvClient<CountAction, CountObservation> {
public:
    using EnvClient::EnvClient;

    [[nodiscard]] Pending<Result> count(int amount, CallOptions options = {}) {
        CountAction action;
        action.amount = amount;
        return step(action, options);
    }
};

}  // namespace test
}  // namespace openenv
