// Plays one episode to its end whatever happens on the way: a full server, a slow step, a
// connection that is lost. None of it is repeated behind one's back, so what to do is written here.
#include "counter_client.hpp"

#include <chrono>
#include <iostream>
#include <thread>

namespace {

// [recover]
/// One whole episode. Errors: whatever a call throws.
double play(CounterClient& client) {
    using namespace std::chrono_literals;
    auto& env = client.sync();
    env.reset(openenv::seed(7));
    for (double reward = 0.0;;) {
        const auto result = env.wait(client.count(5, 2s));  // no step takes longer than that
        reward += result.reward.as_number();
        if (result.done) {
            return reward;
        }
    }
}

double play_patiently(CounterClient& client, int tries) {
    for (;; --tries) {
        try {
            return play(client);
        } catch (const openenv::CapacityReached&) {
            if (tries == 1) {
                throw;
            }
            std::cerr << "no place: waiting for one\n";
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        } catch (const openenv::Timeout& error) {
            if (tries == 1) {
                throw;
            }
            std::cerr << "out of time while " << error.error().phase << ": once more\n";
        } catch (const openenv::SessionLost& error) {
            if (tries == 1) {
                throw;
            }
            std::cerr << error.what() << ": once more\n";  // play() begins with a reset
        }
    }
}
// [/recover]

}  // namespace

int main(int argc, char** argv) {
    try {
        CounterClient client(argc > 1 ? argv[1] : "http://127.0.0.1:8000");
        std::cout << "reward " << play_patiently(client, 400) << "\n";
        client.sync().close();
    } catch (const openenv::Exception& error) {
        std::cerr << openenv::name_of(error.code()) << ": " << error.what() << "\n";
        return 1;
    }
    return 0;
}
