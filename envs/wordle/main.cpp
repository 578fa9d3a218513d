#include "wordle_environment.hpp"

#include <openenv/server/serve.hpp>

int main(int argc, char** argv) {
    return openenv::serve<wordle::WordleEnvironment>("wordle", argc, argv);
}
