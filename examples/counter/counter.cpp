#include <openenv/server/serve.hpp>

struct CountAction : openenv::Action {
    int amount = 1;
    static constexpr auto fields = openenv::fields(
        openenv::field("amount", &CountAction::amount).describe("How far to count").ge(1).le(10)
    );
};

struct CountObservation : openenv::Observation {
    int count = 0;
    static constexpr auto fields =
        openenv::fields(openenv::field("count", &CountObservation::count));
};

class Counter : public openenv::Environment<CountAction, CountObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    CountObservation reset(const ResetOptions& options) override {
        state_ = {};
        state_.episode_id = options.episode_id;
        count_ = 0;
        return {};
    }

    CountObservation step(const CountAction& action, const StepOptions&) override {
        ++state_.step_count;
        count_ += action.amount;
        CountObservation observation;
        observation.count = count_;
        observation.reward = action.amount;
        observation.done = count_ >= kLimit;
        return observation;
    }

    const openenv::State& state() const override { return state_; }

private:
    static constexpr int kLimit = 10;
    openenv::State state_;
    int count_ = 0;
};

int main(int argc, char** argv) {
    return openenv::serve<Counter>("counter", argc, argv);
}
