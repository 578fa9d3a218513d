#pragma once

#include "integration/support/life_count.hpp"
#include "support/hang_bound.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace openenv {
namespace test {

/// With the settings that are shipped, a peer that fell silent has lost its place after so long.
inline constexpr std::chrono::seconds kPromisedForLostPeers{45};

/// Opens as many sessions as there may be, cuts the cable, waits until their environments are gone,
/// and is admitted again. `life` is that of the server's ProbeEnvironments.
/// Errors: throws when they are not gone after `bound`.
void lose_all_sessions(
    std::uint16_t port,
    std::size_t max_sessions,
    LifeCount& life,
    std::chrono::seconds bound = kHangBound
);

}  // namespace test
}  // namespace openenv
