#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/server/config.hpp>

#include <chrono>
#include <cstddef>

namespace openenv {
inline namespace v0 {
namespace server {

/// Room for a whole batch of rollouts; an idle session of a native environment costs kilobytes.
inline constexpr std::size_t kDefaultSessions = 1024;

/// Well below the time between two looks at every session, which are work as well: a thread that
/// waited for longer would never sleep.
inline constexpr std::chrono::microseconds kLongestBusyPoll = std::chrono::milliseconds(10);

/// Takes the two settings of `concurrency` as if they had been given by themselves, so that later
/// ones win over them one by one. ConfigError when the number of sessions is given twice.
void fold_concurrency(ServerConfig& config);

/// `config` with every default filled in; ConfigError where it cannot be, with the way out.
[[nodiscard]] ServerConfig checked(const EnvironmentEntry& entry, ServerConfig config);

}  // namespace server
}  // namespace v0
}  // namespace openenv
