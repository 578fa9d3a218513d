#pragma once

/// Forward declarations of what other headers name without needing the whole.
namespace openenv {
inline namespace v0 {

class Json;
struct Action;
struct Observation;
struct State;

}  // namespace v0
}  // namespace openenv
