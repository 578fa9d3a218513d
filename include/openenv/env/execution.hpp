#pragma once

#include <cstdint>

namespace openenv {
inline namespace v0 {

/// Where an environment's code runs. Declared by the environment:
/// `static constexpr openenv::Execution execution = openenv::Execution::pinned;`
/// Construction, reset, step, state, close and destruction all follow it, one at a time a session.
enum class Execution : std::uint8_t {
    pooled,         ///< any thread of an elastic pool (default): ordinary code of unknown cost
    pinned,         ///< one thread per session, from constructor to destructor
    single_thread,  ///< one thread for every session of the environment
    inline_fast,  ///< the connection's own thread: microseconds, never waits; an environment whose
                  ///< calls compute or wait for longer than the budget (1 ms) moves to `pooled`
                  ///< for good. A first long call below 100 ms may be the system's doing: the
                  ///< next one counts. No deadline applies here: code that never returns takes the
                  ///< connections of its thread with it.
    awaitable,  ///< the connection's own thread, which it leaves while it waits: what derives from
                ///< AsyncEnvironment declares this and nothing else does
};

/// "pooled", "pinned", ...: the names used in logs and by `--describe`.
[[nodiscard]] const char* name_of(Execution policy) noexcept;

/// What an environment declared about itself.
struct EnvironmentTraits {
    Execution execution = Execution::pooled;
    bool supports_concurrent_sessions = false;
};

}  // namespace v0
}  // namespace openenv
