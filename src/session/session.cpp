#include <openenv/base/log.hpp>
#include <openenv/session/session.hpp>

#include <exception>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace session {

using std::chrono::steady_clock;

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
      slot_(workspace_->slot) {}

Session::~Session() {
    slot_.reset();  // the environment's thread gives the place back
    if (workspace_->environment) {
        lane_.hand_over([workspace = std::move(workspace_)] { workspace->dispose(); });
    }
}

net::io_awaitable<Result<void>> Session::open() {
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
    const auto deadline = steady_clock::now() + host_.settings().creation_timeout;
    const RunOutcome outcome = co_await run("creating an environment", std::move(work), deadline);
    if (outcome == RunOutcome::refused) {
        co_return refused();
    }
    if (outcome != RunOutcome::done) {
        Error error{Errc::timeout, "creating the environment took longer than the server allows"};
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

net::io_awaitable<Result<CallOutcome>> Session::reset(std::string arguments, ResultForm form) {
    if (!workspace_->environment) {
        Result<void> built = may_rebuild();
        if (built) {
            built = co_await open();
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
        co_return co_await call_task("reset", *calls, std::move(make));
    }
    Work work = [arguments = std::move(arguments), stop = stop_.get_token(), form](Workspace& w) {
        w.outcome = w.environment->reset(arguments, stop, form, w.output);
    };
    co_return co_await call("reset", std::move(work));
}

net::io_awaitable<Result<CallOutcome>> Session::step(
    std::string action, StepOptions options, ResultForm form
) {
    options.stop = stop_.get_token();
    options.deadline = call_deadline();
    if (AsyncCalls* calls = async_calls()) {
        TaskMaker make = [action = std::move(action),
                          options = std::move(options),
                          form](AsyncCalls& async, Workspace& w) mutable {
            return async.async_step(std::move(action), std::move(options), form, w.output);
        };
        co_return co_await call_task("step", *calls, std::move(make));
    }
    Work work = [action = std::move(action), options = std::move(options), form](Workspace& w) {
        w.outcome = w.environment->step(action, options, form, w.output);
    };
    co_return co_await call("step", std::move(work));
}

net::io_awaitable<Result<CallOutcome>> Session::state() {
    Work work = [](Workspace& w) { w.outcome = w.environment->state(w.output); };
    co_return co_await call("state", std::move(work));
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
    const Result<CallOutcome> outcome = co_await call("metadata", std::move(work));
    if (!outcome) {
        co_return outcome.error();
    }
    if (*outcome != CallOutcome::ok) {
        Error error{Errc::execution, workspace_->output};
        co_return error;
    }
    co_return std::move(*found);
}

net::io_awaitable<Result<CallOutcome>> Session::call(const char* what, Work work) {
    if (!workspace_->environment) {
        Error error{
            Errc::session,
            "the session's environment was given up after a call ran out of time; "
            "reset starts a new one"};
        co_return error;
    }
    const RunOutcome outcome = co_await run(what, std::move(work), call_deadline());
    co_return call_ended(what, outcome);
}

net::io_awaitable<Result<CallOutcome>> Session::call_task(
    const char* what, AsyncCalls& calls, TaskMaker make
) {
    Task<void> task = in_workspace(workspace_, make(calls, *workspace_));
    std::function<void()> if_abandoned = [workspace = workspace_] { workspace->dispose(); };
    const RunOutcome outcome =
        co_await lane_.run_task(what, std::move(task), std::move(if_abandoned), call_deadline());
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
        case RunOutcome::abandoned:
            break;
    }
    const char* phase = outcome == RunOutcome::never_ran ? " was queued" : " ran";
    return Error{
        Errc::timeout, std::string(what) + phase + " for longer than the server's call timeout"};
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

net::io_awaitable<RunOutcome> Session::run(
    const char* what, Work work, std::optional<steady_clock::time_point> deadline
) {
    // Named, since gcc 12 destroys a capturing lambda inside a co_await expression twice.
    std::function<void()> job = [workspace = workspace_, work = std::move(work)] {
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

std::optional<steady_clock::time_point> Session::call_deadline() const {
    const auto& timeout = host_.settings().call_timeout;
    if (!timeout) {
        return std::nullopt;
    }
    return steady_clock::now() + *timeout;
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
