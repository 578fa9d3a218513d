#pragma once

#include <openenv/base/error.hpp>
#include <openenv/env/any_environment.hpp>
#include <openenv/env/async_calls.hpp>
#include <openenv/env/task.hpp>
#include <openenv/session/capacity.hpp>
#include <openenv/session/execution.hpp>

#include <atomic>
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

/// How long a call may take: as long as its caller says, and as long as the server's call timeout.
struct CallTime {
    /// When it was asked for; unset: now.
    std::optional<std::chrono::steady_clock::time_point> arrived = std::nullopt;
    std::optional<double> timeout_s = std::nullopt;  ///< seconds from then; unset: no limit
};

/// When that time is over; unset: never.
[[nodiscard]] std::optional<std::chrono::steady_clock::time_point> deadline_of(
    const CallTime& time, const ExecutionSettings& settings
);

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

    /// Builds the environment; comes before every other call. With the time of the call that needs
    /// it, by that call's deadline at the latest.
    /// Errors: factory_failed (the cause only in `detail`), timeout.
    [[nodiscard]] net::io_awaitable<Result<void>> open();
    [[nodiscard]] net::io_awaitable<Result<void>> open(CallTime time);

    /// What the next call appends to, and where it leaves its result (see CallOutcome).
    [[nodiscard]] std::string& output() noexcept { return workspace_->output; }

    // Each call: Errors: timeout (with the phase: "queued", "creating", "running"), session (a new
    // reset is needed first, or reset has to wait for the call that was given up), factory_failed
    // (reset), execution (no thread left to run it), cancelled (request_stop() ended its task).
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> reset(
        std::string arguments, ResultForm form, CallTime time = {}
    );
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> step(
        std::string action, StepOptions options, ResultForm form, CallTime time = {}
    );
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> state(CallTime time = {});

    /// Whether the calls below are possible: the environment runs inline, and is there.
    [[nodiscard]] bool is_in_place() const noexcept {
        return lane_.runs_inline() && workspace_->environment != nullptr;
    }
    /// What came of a call in place, and when.
    struct InPlace {
        CallOutcome outcome;
        std::chrono::steady_clock::time_point ended;
    };
    // Reset and step at once and without a coroutine, where is_in_place(). What comes of them is
    // appended to `out`. `now` is the time.
    [[nodiscard]] InPlace reset_in_place(
        std::string_view arguments,
        ResultForm form,
        std::chrono::steady_clock::time_point now,
        std::string& out
    );
    [[nodiscard]] InPlace step_in_place(
        std::string_view action,
        StepOptions options,
        ResultForm form,
        const CallTime& time,
        std::chrono::steady_clock::time_point now,
        std::string& out
    );

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

    /// Whether the latest call has begun to run, as opposed to waiting for a thread.
    [[nodiscard]] bool has_begun() const noexcept {
        return workspace_->begun.load(std::memory_order_relaxed);
    }
    /// False after a call was given up, until the next reset. Only while no call is under way.
    [[nodiscard]] bool has_environment() const noexcept {
        return workspace_->environment != nullptr;
    }

    /// Gives the place of the capacity back at once, though an environment may still exist. False,
    /// and nothing is done, for an environment of which only one instance may live at a time.
    bool give_place_back() noexcept;

private:
    using Deadline = std::optional<std::chrono::steady_clock::time_point>;
    using SharedSlot = std::shared_ptr<Capacity::Slot>;  // null: not counted

    /// What a running call touches. Shared with it, because it may outlive the session.
    struct Workspace {
        explicit Workspace(SharedSlot shared) : slot(std::move(shared)) {}

        SharedSlot slot;  // before the environment: given back after it
        std::unique_ptr<AnyEnvironment> environment;
        std::string output;
        CallOutcome outcome = CallOutcome::ok;
        std::string failure;             // why the environment could not be built
        std::atomic<bool> begun{false};  // the latest call runs, or has run

        /// Closes the environment and gives the slot back.
        void dispose() noexcept;
    };
    using Work = std::function<void(Workspace&)>;
    /// Makes the task of a call.
    using TaskMaker = std::function<Task<CallOutcome>(AsyncCalls&, Workspace&)>;

    /// The environment's reset and step as tasks; null where they are plain calls.
    [[nodiscard]] AsyncCalls* async_calls() const;
    [[nodiscard]] net::io_awaitable<Result<void>> create(Deadline deadline);
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> call(
        const char* what, Work work, Deadline deadline
    );
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> call_task(
        const char* what, AsyncCalls& calls, TaskMaker make, Deadline deadline
    );
    [[nodiscard]] Result<CallOutcome> call_ended(const char* what, RunOutcome outcome) const;
    [[nodiscard]] static Task<void> in_workspace(
        std::shared_ptr<Workspace> workspace, Task<CallOutcome> task
    );
    [[nodiscard]] net::io_awaitable<RunOutcome> run(const char* what, Work work, Deadline deadline);
    [[nodiscard]] Error refused() const;
    [[nodiscard]] Deadline deadline_of(const CallTime& time) const {
        return session::deadline_of(time, host_.settings());
    }
    [[nodiscard]] Result<void> may_rebuild() const;
    void abandon_workspace(const char* what);

    EnvironmentHost& host_;
    Lane lane_;
    std::shared_ptr<Workspace> workspace_;
    std::weak_ptr<Workspace> abandoned_;  // the latest one whose call was given up
    SharedSlot slot_;  // also held by every workspace: the place is free when the last one is gone
    const std::weak_ptr<Capacity::Slot> place_;  // the same, also after end() has let go of it
    std::stop_source stop_;
};

}  // namespace session
}  // namespace v0
}  // namespace openenv
