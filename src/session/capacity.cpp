#include <openenv/base/error.hpp>
#include <openenv/session/capacity.hpp>

namespace openenv {
inline namespace v0 {
namespace session {

Capacity::Capacity(std::size_t max) : max_(max) {
    if (max == 0) {
        throw ConfigError("max_concurrent_envs is 0; a server needs room for at least 1 session");
    }
}

std::optional<Capacity::Slot> Capacity::reserve() noexcept {
    std::size_t seen = active_.load(std::memory_order_relaxed);
    while (seen < max_) {
        if (active_.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) {
            return Slot(*this);
        }
    }
    return std::nullopt;
}

}  // namespace session
}  // namespace v0
}  // namespace openenv
