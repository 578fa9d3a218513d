#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/server/config.hpp>

namespace openenv {
inline namespace v0 {
namespace server {

/// `config` with every default filled in; ConfigError where it cannot be, with the way out.
[[nodiscard]] ServerConfig checked(const EnvironmentEntry& entry, ServerConfig config);

}  // namespace server
}  // namespace v0
}  // namespace openenv
