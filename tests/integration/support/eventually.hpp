#pragma once

#include "support/hang_bound.hpp"

#include <chrono>
#include <thread>

namespace openenv {
namespace test {

/// True once `condition` holds, false after the hang bound. For figures that no event announces:
/// a server's active sessions, the descriptors of this process.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + kHangBound;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

}  // namespace test
}  // namespace openenv
