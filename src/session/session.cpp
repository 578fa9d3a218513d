#include "session/inline_watch.hpp"

#include <openenv/base/log.hpp>
#include <openenv/session/session.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace session {

using std::chrono::steady_clock;

namespace {

Error out_of_time(std::string what, const char* phase) {
    Error error{Errc::timeout, std::move(what) + " for longer than its time limit"};
    error.phase = phase;
    return error;
}

}  // namespace

std::optional<steady_clock::time_point> deadline_of(
    const CallTime& time, const ExecutionSettings& settings
) {
    const auto& timeout = settings.call_timeout;
    if (!timeout && !time.timeout_s) {
        return std::nullopt;
    }
    using std::chrono::duration_cast;
    std::chrono::nanoseconds allowed = timeout ? *timeout : std::chrono::nanoseconds::max();
    if (time.timeout_s) {
        const std::chrono::duration<double> wanted(*time.timeout_s);
        allowed = std::min(allowed, duration_cast<std::chrono::nanoseconds>(wanted));
    }
    return time.arrived.value_or(steady_clock::now()) + allowed;
}

void Session::Workspace::dispose() noexcept {
    if (environment) {
        environment->close();
        environment.reset();
    }
    slot.reset();
}

Session::Session(EnvironmentHost& host, net::IoExecutor io, std::optional<Capacity::Slot> slot)
    : host_(host),
      lane_(host, io),
      workspace_(std::make_shared<Workspace>(
          slot ? std::make_shared<Capacity::Slot>(std::move(*slot)) : nullptr
      )),
      slot_(workspace_->slot),
      place_(slot_) {}

Session::~Session() {
    slot_.reset();  // the environment's thread gives the place back
    if (workspace_->environment) {
        lane_.hand_over([workspace = std::move(workspace_)] { workspace->dispose(); });
    }
}

net::io_awaitable<Result<void>> Session::open() {
    return create(std::nullopt);
}

net::io_awaitable<Result<void>> Session::open(CallTime time) {
    return create(deadline_of(time));
}

/// Builds the environment, by the deadline of the call that needs it if that is the earlier one.
net::io_awaitable<Result<void>> Session::create(Deadline deadline) {
    Work work = [make = host_.entry().make](Workspace& workspace) {
        try {
            workspace.environment = make();
            if (!workspace.environment) {
                workspace.failure = "the factory returned nothing";
            }
        } catch (const std::exception& error) {
            workspace.failure = error.what();
        } catch (...) {
            workspace.failure = "unknown exception";
        }
    };
    const auto limit = steady_clock::now() + host_.settings().creation_timeout;
    const bool is_calls = deadline && *deadline < limit;
    const RunOutcome outcome =
        co_await run("creating an environment", std::move(work), is_calls ? *deadline : limit);
    if (outcome == RunOutcome::refused) {
        co_return refused();
    }
    if (outcome != RunOutcome::done && is_calls) {
        co_return out_of_time("reset was creating its environment", "creating");
    }
    if (outcome != RunOutcome::done) {
        Error error{Errc::timeout, "creating the environment took longer than the server allows"};
        error.phase = "creating";
        co_return error;
    }
    if (!workspace_->environment) {
        log(LogLevel::error,
            "environment factory '" + host_.entry().class_name + "' failed: " + workspace_->failure
        );
        Error error{
            Errc::factory_failed,
            "Environment factory '" + host_.entry().class_name + "' failed to create instance.",
            workspace_->failure};
        co_return error;
    }
    co_return Result<void>();
}

net::io_awaitable<Result<CallOutcome>> Session::reset(
    std::string arguments, ResultForm form, CallTime time
) {
    const Deadline deadline = deadline_of(time);
    if (!workspace_->environment) {
        Result<void> built = may_rebuild();
        if (built) {
            built = co_await create(deadline);
        }
        if (!built) {
            co_return std::move(built).error();
        }
    }
    if (AsyncCalls* calls = async_calls()) {
        TaskMaker make = [arguments = std::move(arguments),
                          stop = stop_.get_token(),
                          form](AsyncCalls& async, Workspace& w) mutable {
            return async.async_reset(std::move(arguments), std::move(stop), form, w.output);
        };
        co_return co_await call_task("reset", *calls, std::move(make), deadline);
    }
    Work work = [arguments = std::move(arguments), stop = stop_.get_token(), form](Workspace& w) {
        w.outcome = w.environment->reset(arguments, stop, form, w.output);
    };
    co_return co_await call("reset", std::move(work), deadline);
}

net::io_awaitable<Result<CallOutcome>> Session::step(
    std::string action, StepOptions options, ResultForm form, CallTime time
) {
    options.stop = stop_.get_token();
    options.deadline = deadline_of(time);
    const Deadline deadline = options.deadline;
    if (AsyncCalls* calls = async_calls()) {
        TaskMaker make = [action = std::move(action),
                          options = std::move(options),
                          form](AsyncCalls& async, Workspace& w) mutable {
            return async.async_step(std::move(action), std::move(options), form, w.output);
        };
        co_return co_await call_task("step", *calls, std::move(make), deadline);
    }
    Work work = [action = std::move(action), options = std::move(options), form](Workspace& w) {
        w.outcome = w.environment->step(action, options, form, w.output);
    };
    co_return co_await call("step", std::move(work), deadline);
}

net::io_awaitable<Result<CallOutcome>> Session::state(CallTime time) {
    Work work = [](Workspace& w) { w.outcome = w.environment->state(w.output); };
    co_return co_await call("state", std::move(work), deadline_of(time));
}

Session::InPlace Session::reset_in_place(
    std::string_view arguments, ResultForm form, steady_clock::time_point now, std::string& out
) {
    InlineWatch watch(host_, now);
    const CallOutcome outcome =
        workspace_->environment->reset(arguments, stop_.get_token(), form, out);
    return {outcome, watch.end()};
}

Session::InPlace Session::step_in_place(
    std::string_view action,
    StepOptions options,
    ResultForm form,
    const CallTime& time,
    steady_clock::time_point now,
    std::string& out
) {
    options.stop = stop_.get_token();
    options.deadline = deadline_of(time);
    InlineWatch watch(host_, now);
    const CallOutcome outcome = workspace_->environment->step(action, options, form, out);
    return {outcome, watch.end()};
}

net::io_awaitable<Result<std::optional<EnvironmentMetadata>>> Session::metadata() {
    auto found = std::make_shared<std::optional<EnvironmentMetadata>>();
    Work work = [found](Workspace& w) {
        w.outcome = CallOutcome::failed;
        try {
            *found = w.environment->metadata();
            w.outcome = CallOutcome::ok;
        } catch (const std::exception& error) {
            w.output = error.what();
        } catch (...) {
            w.output = "unknown exception";
        }
    };
    const Result<CallOutcome> outcome = co_await call("metadata", std::move(work), deadline_of({}));
    if (!outcome) {
        co_return outcome.error();
    }
    if (*outcome != CallOutcome::ok) {
        Error error{Errc::execution, workspace_->output};
        co_return error;
    }
    co_return std::move(*found);
}

net::io_awaitable<Result<CallOutcome>> Session::call(
    const char* what, Work work, Deadline deadline
) {
    if (!workspace_->environment) {
        Error error{
            Errc::session,
            "the session's environment was given up after a call ran out of time; "
            "reset starts a new one"};
        co_return error;
    }
    const RunOutcome outcome = co_await run(what, std::move(work), deadline);
    co_return call_ended(what, outcome);
}

net::io_awaitable<Result<CallOutcome>> Session::call_task(
    const char* what, AsyncCalls& calls, TaskMaker make, Deadline deadline
) {
    workspace_->begun.store(true, std::memory_order_relaxed);
    Task<void> task = in_workspace(workspace_, make(calls, *workspace_));
    std::function<void()> if_abandoned = [workspace = workspace_] { workspace->dispose(); };
    const RunOutcome outcome =
        co_await lane_.run_task(what, std::move(task), std::move(if_abandoned), deadline);
    if (outcome == RunOutcome::abandoned) {
        abandon_workspace(what);
    }
    Result<CallOutcome> result = call_ended(what, outcome);
    if (result && *result == CallOutcome::failed && stop_.stop_requested()) {
        result = Error{Errc::cancelled, std::string(what) + " was cancelled"};  // by us
    }
    co_return result;
}

/// Runs a call's task and keeps alive what it touches.
Task<void> Session::in_workspace(std::shared_ptr<Workspace> workspace, Task<CallOutcome> task) {
    workspace->outcome = CallOutcome::failed;  // should a fault end it
    workspace->outcome = co_await std::move(task);
}

Result<CallOutcome> Session::call_ended(const char* what, RunOutcome outcome) const {
    switch (outcome) {
        case RunOutcome::done:
            return workspace_->outcome;
        case RunOutcome::refused:
            return refused();
        case RunOutcome::never_ran:
            return out_of_time(std::string(what) + " was queued", "queued");
        case RunOutcome::abandoned:
            break;
    }
    return out_of_time(std::string(what) + " ran", "running");
}

Error Session::refused() const {
    if (lane_.runs_tasks()) {
        return {
            Errc::execution,
            "too many calls that ran out of time have not ended: the environment goes on waiting "
            "when it is cancelled"};
    }
    return {
        Errc::execution,
        "the server could not start a thread for the environment: too many calls that ran out of "
        "time still hold theirs, or the system has none left; the log tells which"};
}

AsyncCalls* Session::async_calls() const {
    const bool possible = lane_.runs_tasks() && workspace_->environment;
    return possible ? workspace_->environment->async_calls() : nullptr;
}

net::io_awaitable<RunOutcome> Session::run(const char* what, Work work, Deadline deadline) {
    // Named, since gcc 12 destroys a capturing lambda inside a co_await expression twice.
    workspace_->begun.store(false, std::memory_order_relaxed);
    std::function<void()> job = [workspace = workspace_, work = std::move(work)] {
        workspace->begun.store(true, std::memory_order_relaxed);
        work(*workspace);
    };
    std::function<void()> if_abandoned = [workspace = workspace_] { workspace->dispose(); };
    const RunOutcome outcome =
        co_await lane_.run(what, std::move(job), std::move(if_abandoned), deadline);
    if (outcome == RunOutcome::abandoned) {
        abandon_workspace(what);
    }
    co_return outcome;
}

void Session::abandon_workspace(const char* what) {
    host_.gave_up_call();
    log(LogLevel::warning,
        std::string(what) + " of " + host_.entry().name + " ran out of time; its environment" +
            (lane_.runs_tasks() ? " is given up" : " and its thread are given up"));
    request_stop();
    stop_ = std::stop_source();
    // The abandoned call keeps the old one and disposes of it, should it ever come back.
    abandoned_ = workspace_;
    workspace_ = std::make_shared<Workspace>(slot_);
}

Result<void> Session::may_rebuild() const {
    if (host_.entry().traits.supports_concurrent_sessions || abandoned_.expired()) {
        return Result<void>();
    }
    return Error{
        Errc::session,
        "a call that ran out of time still runs, and the environment takes one session at a time: "
        "reset again once it has ended, or declare supports_concurrent_sessions if several "
        "instances may live at once"};
}

bool Session::give_place_back() noexcept {
    if (!host_.entry().traits.supports_concurrent_sessions) {
        return false;
    }
    if (const SharedSlot slot = place_.lock()) {
        slot->give_back();
    }
    return true;
}

net::io_awaitable<void> Session::end() {
    slot_.reset();  // the environment's thread gives the place back
    if (!workspace_->environment) {
        workspace_->slot.reset();
        co_return;
    }
    Work work = [](Workspace& workspace) { workspace.dispose(); };
    const auto deadline = steady_clock::now() + host_.settings().creation_timeout;
    co_await run("closing an environment", std::move(work), deadline);
}

}  // namespace session
}  // namespace v0
}  // namespace openenv
