#pragma once

#include <string>

namespace openenv {
inline namespace v0 {

/// A new name for an episode: a random UUID (version 4, RFC 9562) in lower case.
/// Thread: any.
[[nodiscard]] std::string new_episode_id();

}  // namespace v0
}  // namespace openenv
