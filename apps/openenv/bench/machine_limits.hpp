#pragma once

#include <cstddef>

namespace openenv::bench {

/// Lets this process open as many sockets as the system permits at all, and checks that so many
/// connections fit.
/// Errors: ConfigError naming the limit and the way out.
void make_room_for(std::size_t connections);

}  // namespace openenv::bench
