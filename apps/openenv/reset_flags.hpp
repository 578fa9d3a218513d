#pragma once

#include <openenv/base/json.hpp>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace cli {

/// The flags that say how an episode begins.
struct ResetFlags {
    std::optional<std::string> seed;
    std::optional<std::string> episode_id;
    std::optional<std::string> arguments;
};

void declare(CLI::App& app, ResetFlags& flags);

[[nodiscard]] bool any_given(const ResetFlags& flags);

/// The arguments of the reset: those of --reset, then --seed and --episode-id.
/// Errors: WrongUsage.
[[nodiscard]] openenv::Json reset_arguments(const ResetFlags& flags);

}  // namespace cli
