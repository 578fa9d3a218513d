// Boils eggs, thousands at once, on as many threads as the machine has cores.
#include <openenv/env/async_environment.hpp>
#include <openenv/server/serve.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace {

struct BoilAction : openenv::Action {
    int milliseconds = 0;

    static constexpr auto fields =
        openenv::fields(openenv::field("milliseconds", &BoilAction::milliseconds)
                            .describe("How long to boil the egg before looking at it again")
                            .ge(1)
                            .le(600000));
};

struct EggObservation : openenv::Observation {
    std::string egg;
    int boiled = 0;

    static constexpr auto fields = openenv::fields(
        openenv::field("egg", &EggObservation::egg).describe("raw, soft or hard"),
        openenv::field("boiled", &EggObservation::boiled).describe("Milliseconds in all")
    );
};

// [environment]
class EggTimer : public openenv::AsyncEnvironment<BoilAction, EggObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    openenv::Task<EggObservation> reset(ResetOptions options) override {
        boiled_ = 0;
        state_ = {};
        state_.episode_id = std::move(options.episode_id);
        co_return look();
    }

    openenv::Task<EggObservation> step(BoilAction action, StepOptions) override {
        boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
        timer.expires_after(std::chrono::milliseconds(action.milliseconds));
        co_await timer.async_wait(boost::asio::use_awaitable);

        boiled_ += action.milliseconds;
        ++state_.step_count;
        EggObservation observation = look();
        observation.reward = observation.egg == "soft" ? 1 : 0;
        observation.done = observation.egg == "hard";
        co_return observation;
    }

    const openenv::State& state() const override { return state_; }

private:
    EggObservation look() const {
        EggObservation observation;
        observation.egg = boiled_ < 60 ? "raw" : boiled_ < 120 ? "soft" : "hard";
        observation.boiled = boiled_;
        return observation;
    }

    int boiled_ = 0;
    openenv::State state_;
};
// [/environment]

}  // namespace

int main(int argc, char** argv) {
    return openenv::serve<EggTimer>("egg_timer", argc, argv);
}
