#include "echo_entry.hpp"

#include "echo_environment.hpp"

#include <openenv/env/typed_environment.hpp>

openenv::EnvironmentEntry echo_entry() {
    auto entry = openenv::environment_entry<echo::EchoEnvironment>("echo");
    entry.summary = "Sends every message back; the first thing to try, and what benchmarks run";
    return entry;
}
