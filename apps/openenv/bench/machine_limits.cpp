#include "bench/machine_limits.hpp"

#include <openenv/base/error.hpp>

#include <fmt/format.h>

#include <sys/resource.h>

namespace openenv::bench {
namespace {

/// For what is open beside the connections.
constexpr std::size_t kSpare = 32;

}  // namespace

void make_room_for(std::size_t connections) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
        ::getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (connections + kSpare > limit.rlim_cur) {
        throw ConfigError(fmt::format(
            "{} connections do not fit: this process may open {} files at most, {} of them for "
            "connections (raise it with 'ulimit -Hn', or carry many sessions on each connection "
            "with --batch)",
            connections,
            limit.rlim_cur,
            limit.rlim_cur > kSpare ? limit.rlim_cur - kSpare : 0
        ));
    }
}

}  // namespace openenv::bench
