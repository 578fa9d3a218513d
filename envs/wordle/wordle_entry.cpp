#include "wordle_entry.hpp"

#include "wordle_environment.hpp"

#include <openenv/env/typed_environment.hpp>

openenv::EnvironmentEntry wordle_entry() {
    return openenv::environment_entry<wordle::WordleEnvironment>("wordle");
}
