#pragma once

#include <openenv/base/error.hpp>
#include <openenv/env/any_environment.hpp>
#include <openenv/env/async_calls.hpp>
#include <openenv/env/task.hpp>
#include <openenv/session/capacity.hpp>
#include <openenv/session/execution.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace session {

/// One environment and the rule for who may touch it. Calls run where the execution policy says
/// and are kept in order by the caller, who makes one at a time.
///
/// A call that outlives its deadline takes the environment with it: its answer is dropped, and
/// until a reset has built a new one every other call is refused. An environment that does not
/// declare `supports_concurrent_sessions` is built anew only once the old call has come back.
/// Thread: one io thread.
class Session {
public:
    /// With a slot the session counts against the capacity until every environment it has built is
    /// gone, also one whose call or whose building was given up. `host` outlives the session.
    Session(EnvironmentHost& host, net::IoExecutor io, std::optional<Capacity::Slot> slot);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Builds the environment; comes before every other call.
    /// Errors: factory_failed (the cause only in `detail`), timeout.
    [[nodiscard]] net::io_awaitable<Result<void>> open();

    /// What the next call appends to, and where it leaves its result (see CallOutcome).
    [[nodiscard]] std::string& output() noexcept { return workspace_->output; }

    // Each call: Errors: timeout, session (a new reset is needed first, or reset has to wait for
    // the call that was given up), factory_failed (reset), execution (no thread left to run it),
    // cancelled (request_stop() ended its task).
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> reset(
        std::string arguments, ResultForm form
    );
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> step(
        std::string action, StepOptions options, ResultForm form
    );
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> state();
    /// Nothing when the environment tells nothing. Errors: also execution.
    [[nodiscard]] net::io_awaitable<Result<std::optional<EnvironmentMetadata>>> metadata();

    /// Closes and destroys the environment on its thread and gives the slot back. To be called
    /// once, at the end; without it the destructor hands that work over and does not wait.
    [[nodiscard]] net::io_awaitable<void> end();

    /// Asks the call that is running to stop; an environment that looks at its stop token ends
    /// early. A call that waits as a task is cancelled.
    void request_stop() {
        stop_.request_stop();
        lane_.cancel();
    }

    /// Ends the waiting for the call that is running, as if its deadline had passed.
    void give_up() { lane_.give_up(); }

    [[nodiscard]] bool runs_inline() const noexcept { return lane_.runs_inline(); }

private:
    using SharedSlot = std::shared_ptr<Capacity::Slot>;  // null: not counted

    /// What a running call touches. Shared with it, because it may outlive the session.
    struct Workspace {
        explicit Workspace(SharedSlot shared) : slot(std::move(shared)) {}

        SharedSlot slot;  // before the environment: given back after it
        std::unique_ptr<AnyEnvironment> environment;
        std::string output;
        CallOutcome outcome = CallOutcome::ok;
        std::string failure;  // why the environment could not be built

        /// Closes the environment and gives the slot back.
        void dispose() noexcept;
    };
    using Work = std::function<void(Workspace&)>;
    /// Makes the task of a call.
    using TaskMaker = std::function<Task<CallOutcome>(AsyncCalls&, Workspace&)>;

    /// The environment's reset and step as tasks; null where they are plain calls.
    [[nodiscard]] AsyncCalls* async_calls() const;
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> call(const char* what, Work work);
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> call_task(
        const char* what, AsyncCalls& calls, TaskMaker make
    );
    [[nodiscard]] Result<CallOutcome> call_ended(const char* what, RunOutcome outcome) const;
    [[nodiscard]] static Task<void> in_workspace(
        std::shared_ptr<Workspace> workspace, Task<CallOutcome> task
    );
    [[nodiscard]] net::io_awaitable<RunOutcome> run(
        const char* what, Work work, std::optional<std::chrono::steady_clock::time_point> deadline
    );
    [[nodiscard]] Error refused() const;
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> call_deadline() const;
    [[nodiscard]] Result<void> may_rebuild() const;
    void abandon_workspace(const char* what);

    EnvironmentHost& host_;
    Lane lane_;
    std::shared_ptr<Workspace> workspace_;
    std::weak_ptr<Workspace> abandoned_;  // the latest one whose call was given up
    SharedSlot slot_;  // also held by every workspace: the place is free when the last one is gone
    std::stop_source stop_;
};

}  // namespace session
}  // namespace v0
}  // namespace openenv
