// An environment, its server and a client in one program, without a socket.
#include <openenv/client/env_client.hpp>
#include <openenv/env/environment.hpp>
#include <openenv/env/typed_environment.hpp>
#include <openenv/server/server.hpp>

#include <iostream>

struct GuessAction : openenv::Action {
    int number = 0;
    static constexpr auto fields =
        openenv::fields(openenv::field("number", &GuessAction::number).ge(1).le(100));
};

struct GuessObservation : openenv::Observation {
    std::string hint;
    static constexpr auto fields = openenv::fields(openenv::field("hint", &GuessObservation::hint));
};

class Guessing : public openenv::Environment<GuessAction, GuessObservation> {
public:
    static constexpr bool supports_concurrent_sessions = true;

    GuessObservation reset(const ResetOptions& options) override {
        state_ = {};
        secret_ = 1 + static_cast<int>(options.seed.value_or(41)) % 100;
        return {};
    }
    GuessObservation step(const GuessAction& action, const StepOptions&) override {
        ++state_.step_count;
        GuessObservation observation;
        observation.done = action.number == secret_;
        observation.hint = observation.done ? "right" : action.number < secret_ ? "more" : "less";
        return observation;
    }
    const openenv::State& state() const override { return state_; }

private:
    openenv::State state_;
    int secret_ = 1;
};

int main() {
    // [in_process]
    openenv::ServerConfig config;
    config.listen = false;  // or leave it on: others then come in over the network
    openenv::Server server(openenv::environment_entry<Guessing>("guessing"), config);
    server.start();

    openenv::ClientOptions options;
    options.connector = server.connector();
    openenv::EnvClient<GuessAction, GuessObservation> client(options);
    auto& env = client.sync();
    env.reset();
    GuessAction action;
    int low = 1;
    int high = 100;
    for (std::string hint; hint != "right";) {
        action.number = (low + high) / 2;
        hint = env.step(action).observation.hint;
        (hint == "more" ? low : high) = action.number + (hint == "more" ? 1 : -1);
    }
    env.close();
    // [/in_process]
    std::cout << "it is " << action.number << "\n";
    return 0;
}
