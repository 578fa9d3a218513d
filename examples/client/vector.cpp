// Steps many counters at once: one object, one message for all where the server takes that.
#include "counter_client.hpp"

#include <openenv/client/vector_env.hpp>

#include <cstdlib>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
    const std::size_t sessions = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 64;
    int episodes = 0;
    double reward = 0.0;
    try {
        // [vector]
        openenv::VectorEnv<CountAction, CountObservation> vector(
            argc > 1 ? argv[1] : "http://127.0.0.1:8000", sessions
        );
        auto& envs = vector.sync();
        envs.reset(7);  // seeds 7, 8, 9, ...
        std::vector<CountAction> actions(sessions);
        for (CountAction& action : actions) {
            action.amount = 2;
        }
        for (int step = 0; step != 10; ++step) {
            for (const auto& result : envs.step(actions)) {
                if (result.error) {
                    std::cerr << "session " << result.session << ": " << result.error->message
                              << "\n";
                    continue;
                }
                reward += result.reward.as_number();
                if (result.done()) {  // and reset already: `observation` is the next episode's
                    ++episodes;
                    std::cout << "ended at " << result.final_observation->count << "\n";
                }
            }
        }
        envs.close();
        // [/vector]
    } catch (const openenv::Exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    std::cout << episodes << " episodes, reward " << reward << "\n";
    return 0;
}
