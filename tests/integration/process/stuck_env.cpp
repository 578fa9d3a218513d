// A program whose environment never returns from a step; for the test of how such a process ends.
#include <openenv/server/serve.hpp>

#include <chrono>
#include <future>
#include <iostream>
#include <utility>

namespace {

class StuckEnvironment final : public openenv::Environment<openenv::Action, openenv::Observation> {
public:
    openenv::Observation reset(const ResetOptions&) override { return {}; }
    openenv::Observation step(const openenv::Action&, const StepOptions&) override {
        std::cerr << "the step has begun" << std::endl;
        std::promise<void> never;
        never.get_future().wait();
        return {};
    }
    [[nodiscard]] const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
};

}  // namespace

int main(int argc, char** argv) {
    openenv::ServerConfig config;
    config.shutdown_grace = std::chrono::milliseconds(200);
    config.close_timeout = std::chrono::milliseconds(200);
    return openenv::serve<StuckEnvironment>(
        "stuck", argc, argv, openenv::default_factory<StuckEnvironment>(), std::move(config)
    );
}
