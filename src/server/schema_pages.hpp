#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/server/config.hpp>

#include <string>

namespace openenv {
inline namespace v0 {
namespace server {

/// The body of GET /schema: action, observation, reset_observation and state as clients know them,
/// and `reset`, what a reset accepts.
[[nodiscard]] std::string make_schema_page(const EnvironmentEntry& entry);

/// The body of GET /openapi.json: the routes that exist in that mode.
[[nodiscard]] std::string make_openapi_page(const EnvironmentEntry& entry, ServerMode mode);

}  // namespace server
}  // namespace v0
}  // namespace openenv
