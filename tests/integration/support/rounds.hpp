#pragma once

#include <cstddef>
#include <cstdlib>

namespace openenv {
namespace test {

/// True under `make soak`: the long form of a test is wanted.
[[nodiscard]] inline bool soaking() {
    return std::getenv("OPENENV_SOAK") != nullptr;
}

/// How often a test does its thing: `ordinary` times, or `soak` times under `make soak`.
[[nodiscard]] inline std::size_t rounds(std::size_t ordinary, std::size_t soak) {
    return soaking() ? soak : ordinary;
}

}  // namespace test
}  // namespace openenv
