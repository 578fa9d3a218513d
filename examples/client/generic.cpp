// Plays the counter without its types: what goes out and comes in is JSON.
#include <openenv/client/env_client.hpp>

#include <iostream>

int main(int argc, char** argv) {
    try {
        // [generic]
        openenv::GenericEnvClient client(argc > 1 ? argv[1] : "http://127.0.0.1:8000");
        auto& env = client.sync();
        env.reset();
        const openenv::Json action = openenv::Json::object({{"amount", 4}});
        const auto result = env.step(action);
        std::cout << result.observation.dump() << ", done: " << result.done << "\n";
        std::cout << env.state().dump() << "\n";
        env.close();
        // [/generic]
    } catch (const openenv::Exception& error) {
        std::cerr << openenv::name_of(error.code()) << ": " << error.what() << "\n";
        return 1;
    }
    return 0;
}
