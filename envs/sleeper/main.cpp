#include "sleeper_environment.hpp"

#include <openenv/server/serve.hpp>

int main(int argc, char** argv) {
    return openenv::serve<sleeper::SleeperEnvironment>("sleeper", argc, argv);
}
