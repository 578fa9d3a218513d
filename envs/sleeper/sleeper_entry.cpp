#include "sleeper_entry.hpp"

#include "sleeper_environment.hpp"

openenv::EnvironmentEntry sleeper_entry() {
    auto entry = openenv::environment_entry<sleeper::SleeperEnvironment>("sleeper");
    entry.summary = "Waits as long as a step says; for measuring how many sessions a server holds";
    return entry;
}
