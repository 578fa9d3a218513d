#include "classic_control_entries.hpp"

#include <openenv/server/serve.hpp>

#include <iostream>
#include <string>
#include <utility>

int main(int argc, char** argv) {
    std::string names;
    for (openenv::EnvironmentEntry& entry : classic_control_entries()) {
        if (argc > 1 && entry.name == argv[1]) {
            return openenv::serve_main(std::move(entry), argc - 1, argv + 1);
        }
        names += " " + entry.name;
    }
    std::cerr << "usage: classic_control NAME [FLAG...]\nNAME is one of:" << names << "\n";
    return 2;
}
