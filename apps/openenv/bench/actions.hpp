#pragma once

#include "bench/connection.hpp"
#include "bench/flags.hpp"

#include <openenv/base/json.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace openenv::bench {

using Actions = std::vector<Json>;

/// The text of a JSON object, given as it is or as @FILE.
/// Errors: WrongUsage naming the flag.
[[nodiscard]] std::string object_argument(const char* flag, const std::string& text);

/// The actions that --step or --script give; none without either, and for a study.
/// Errors: WrongUsage.
[[nodiscard]] Actions read_actions(const Flags& flags);

/// The texts of the actions to send: those given, or one that is made up from the server's schema;
/// with --payload filled.
/// Errors: WrongUsage, or Exception (network) when the server has to be asked and cannot be.
/// Blocking: for the server's answer, as long as `patience`.
[[nodiscard]] std::vector<std::string> complete(
    Actions given,
    const Flags& flags,
    const ConnectionOptions& server,
    std::chrono::duration<double> patience
);

/// The action that waits so many seconds.
/// Errors: WrongUsage when --wait-action is no template of an object.
[[nodiscard]] std::string waiting_action(const std::string& text, double seconds);

}  // namespace openenv::bench
