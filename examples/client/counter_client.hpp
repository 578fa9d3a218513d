#pragma once

#include <openenv/client/env_client.hpp>

// [client]
// The messages, as the environment describes them.
struct CountAction : openenv::Action {
    int amount = 1;
    static constexpr auto fields =
        openenv::fields(openenv::field("amount", &CountAction::amount).ge(1).le(10));
};

struct CountObservation : openenv::Observation {
    int count = 0;
    static constexpr auto fields =
        openenv::fields(openenv::field("count", &CountObservation::count));
};

class CounterClient : public openenv::EnvClient<CountAction, CountObservation> {
public:
    using EnvClient::EnvClient;

    /// A function of one's own: it returns what step() returns, and so works in both styles.
    openenv::Pending<Result> count(int amount, openenv::CallOptions options = {}) {
        CountAction action;
        action.amount = amount;
        return step(action, options);
    }
};
// [/client]
