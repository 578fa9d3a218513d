#include "wordle_entry.hpp"

#include "wordle_environment.hpp"

#include <openenv/env/typed_environment.hpp>

openenv::EnvironmentEntry wordle_entry() {
    auto entry = openenv::environment_entry<wordle::WordleEnvironment>("wordle");
    entry.summary = "Guess a five-letter word in six tries; the messages of textarena_env";
    return entry;
}
