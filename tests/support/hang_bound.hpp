#pragma once

#include <chrono>

namespace openenv {
namespace test {

/// After so long a test that waits for something fails: it hangs. Nothing is expected to take it.
inline constexpr std::chrono::seconds kHangBound{30};

}  // namespace test
}  // namespace openenv
