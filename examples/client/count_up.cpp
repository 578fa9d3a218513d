// Plays the counter in the blocking style, and shows what goes wrong.
#include "counter_client.hpp"

#include <iostream>

int main(int argc, char** argv) {
    // [blocking]
    CounterClient client(argc > 1 ? argv[1] : "http://127.0.0.1:8000");
    auto& env = client.sync();
    try {
        env.reset(openenv::seed(7));
        for (bool done = false; !done;) {
            const auto result = env.wait(client.count(3));
            std::cout << "count " << result.observation.count << ", reward "
                      << result.reward.as_number() << "\n";
            done = result.done;
        }
        env.wait(client.count(11));
    } catch (const openenv::ValidationFailed& error) {
        std::cout << "refused: " << error.reasons() << "\n";
    } catch (const openenv::Exception& error) {
        std::cerr << openenv::name_of(error.code()) << ": " << error.what() << "\n";
        return 1;
    }
    env.close();
    // [/blocking]
    return 0;
}
