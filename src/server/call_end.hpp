#pragma once

#include "server/shard_counters.hpp"

#include <openenv/base/error.hpp>
#include <openenv/env/any_environment.hpp>

namespace openenv {
inline namespace v0 {
namespace server {

/// As what a call is counted.
[[nodiscard]] CallEnd call_end(const Result<CallOutcome>& outcome) noexcept;

}  // namespace server
}  // namespace v0
}  // namespace openenv
