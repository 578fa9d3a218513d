#pragma once

#include <cstdint>

namespace openenv {
inline namespace v0 {
namespace server {

/// What this process takes of the machine; 0 where the system does not tell.
struct ProcessUsage {
    std::uint64_t resident_bytes = 0;
    std::uint64_t virtual_bytes = 0;
    std::uint64_t open_descriptors = 0;
    std::uint64_t most_descriptors = 0;
    double cpu_seconds = 0;
    double started = 0;  ///< in seconds since 1970

    static ProcessUsage now();
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
