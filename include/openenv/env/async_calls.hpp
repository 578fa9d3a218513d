#pragma once

#include <openenv/env/any_environment.hpp>
#include <openenv/env/options.hpp>
#include <openenv/env/task.hpp>

#include <stop_token>
#include <string>

namespace openenv {
inline namespace v0 {

/// The reset and step of an environment that waits, as tasks; see AnyEnvironment, which has its
/// other calls and leads here (AnyEnvironment::async_calls).
/// Errors: a task never throws; user code is caught in it. Lifetime: the environment and `out`
/// outlive the task. Thread: one call at a time, the io thread that the environment was built on.
class AsyncCalls {
public:
    AsyncCalls() = default;
    AsyncCalls(const AsyncCalls&) = delete;
    AsyncCalls& operator=(const AsyncCalls&) = delete;

    [[nodiscard]] virtual Task<CallOutcome> async_reset(
        std::string arguments, std::stop_token stop, ResultForm form, std::string& out
    ) = 0;
    [[nodiscard]] virtual Task<CallOutcome> async_step(
        std::string action, StepOptions options, ResultForm form, std::string& out
    ) = 0;

protected:
    ~AsyncCalls() = default;
};

}  // namespace v0
}  // namespace openenv
