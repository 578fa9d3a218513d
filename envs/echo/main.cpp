#include "echo_environment.hpp"

#include <openenv/server/serve.hpp>

int main(int argc, char** argv) {
    return openenv::serve<echo::EchoEnvironment>("echo", argc, argv);
}
