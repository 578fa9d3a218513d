#include "server/descriptor_limit.hpp"

#include <openenv/base/log.hpp>

#include <algorithm>
#include <string>
#include <sys/resource.h>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// Beside one a session: threads, the listener, the log.
constexpr std::size_t kOwnDescriptors = 32;
/// Some programs that environments start walk through all descriptors that there could be.
constexpr rlim_t kMost = 1 << 20;

}  // namespace

void raise_descriptor_limit(std::size_t sessions) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = std::max(before, std::min(limit.rlim_max, kMost));
    if (limit.rlim_cur != before && ::setrlimit(RLIMIT_NOFILE, &limit) == 0) {
        log(LogLevel::info,
            "ulimit -n raised from " + std::to_string(before) + " to " +
                std::to_string(limit.rlim_cur));
    } else {
        limit.rlim_cur = before;
    }
    if (limit.rlim_cur < sessions + kOwnDescriptors) {
        log(LogLevel::warning,
            "ulimit -n is " + std::to_string(limit.rlim_cur) + ": that is not enough for " +
                std::to_string(sessions) + " sessions at once");
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
