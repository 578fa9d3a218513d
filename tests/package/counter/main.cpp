#include "counter.hpp"

#include <openenv/server/serve.hpp>

int main(int argc, char** argv) {
    return openenv::serve<counter::Counter>("counter", argc, argv);
}
