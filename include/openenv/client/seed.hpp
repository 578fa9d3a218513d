#pragma once

#include <openenv/base/json.hpp>

#include <cstdint>

namespace openenv {
inline namespace v0 {

/// The arguments of a reset that are nothing but a seed: `client.reset(openenv::seed(7))`.
[[nodiscard]] inline Json seed(std::int64_t value) {
    Json arguments = Json::object();
    arguments["seed"] = value;
    return arguments;
}

}  // namespace v0
}  // namespace openenv
