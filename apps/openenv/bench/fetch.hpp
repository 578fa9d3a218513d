#pragma once

#include "bench/connection.hpp"

#include <openenv/base/json.hpp>

#include <chrono>

namespace openenv::bench {

/// What GET /schema of a server answers, over the way that the sessions will take.
/// Errors: Exception, network, when it cannot be had.  Blocking: as long as `patience`.
[[nodiscard]] Json fetch_schema(
    const ConnectionOptions& options, std::chrono::duration<double> patience
);

/// The first of the addresses that takes a connection; the first of all when none does. Where there
/// is one only, it is not tried.
/// Blocking: as long as `patience`, for each.
[[nodiscard]] SocketAddress choose_address(
    const net::Url& url, std::chrono::duration<double> patience
);

}  // namespace openenv::bench
