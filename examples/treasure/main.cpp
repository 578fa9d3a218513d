#include "treasure.hpp"

#include <openenv/server/serve.hpp>

int main(int argc, char** argv) {
    return openenv::serve<treasure::TreasureHunt>("treasure", argc, argv);
}
