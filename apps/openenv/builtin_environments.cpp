#include "builtin_environments.hpp"

#include "echo/echo_entry.hpp"
#include "wordle/wordle_entry.hpp"

std::vector<openenv::EnvironmentEntry> builtin_environments() {
    return {
        echo_entry(),
        wordle_entry(),
    };
}
