#pragma once

#include <openenv/env/any_environment.hpp>
#include <openenv/env/execution.hpp>

#include <functional>
#include <memory>
#include <string>

namespace openenv {
inline namespace v0 {

/// The JSON Schemas of an environment's messages, as text.
struct EnvironmentSchemas {
    std::string action;
    std::string observation;
    std::string state;
    std::string
        reset;  ///< what reset accepts: seed, episode_id and the environment's own arguments
};

/// All that is known of an environment before one is built: its names, what it declares, and how to
/// build one. Made by `environment_entry<E>(name)` (openenv/env/typed_environment.hpp).
struct EnvironmentEntry {
    std::string name;        ///< what users serve: "wordle"
    std::string class_name;  ///< "Wordle": named by /metadata and by factory errors
    std::string summary;     ///< one line for whoever chooses an environment; may be empty
    EnvironmentTraits traits;
    EnvironmentSchemas schemas;
    /// Builds one; may throw. Thread: several at once, unless the execution policy forbids it.
    std::function<std::unique_ptr<AnyEnvironment>()> make;
};

}  // namespace v0
}  // namespace openenv
