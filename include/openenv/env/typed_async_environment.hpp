#pragma once

#include <openenv/env/async_calls.hpp>
#include <openenv/env/task.hpp>
#include <openenv/env/typed_environment.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace detail {

/// What TypedEnvironment is for an Environment, for an AsyncEnvironment.
template <class E>
class TypedAsyncEnvironment final : public AnyEnvironment, public AsyncCalls {
    using ActionT = typename E::Action;
    using ObservationT = typename E::Observation;
    using ArgsT = typename E::ResetArgs;

public:
    explicit TypedAsyncEnvironment(std::unique_ptr<E> environment)
        : environment_(std::move(environment)) {}

    AsyncCalls* async_calls() noexcept override { return this; }

    Task<CallOutcome> async_reset(
        std::string arguments, std::stop_token stop, ResultForm form, std::string& out
    ) override {
        const std::size_t start = out.size();
        try {
            std::optional<ResetOptions<ArgsT>> options =
                read_reset<E>(arguments, std::move(stop), form, out);
            if (!options) {
                co_return CallOutcome::invalid;
            }
            // Named, here and below: gcc 12 destroys temporaries of a co_await expression twice.
            Task<ObservationT> task = environment_->reset(std::move(*options));
            const ObservationT observation = co_await std::move(task);
            was_reset_ = true;
            append_result<E>(observation, form, out);
            co_return CallOutcome::ok;
        } catch (const std::exception& error) {
            co_return failed(out, start, error.what());
        } catch (...) {
            co_return failed(out, start, "unknown exception");
        }
    }

    Task<CallOutcome> async_step(
        std::string action, StepOptions options, ResultForm form, std::string& out
    ) override {
        const std::size_t start = out.size();
        try {
            std::optional<ActionT> typed = read_action<E>(action, was_reset_, out);
            if (!typed) {
                co_return CallOutcome::invalid;
            }
            Task<ObservationT> task = environment_->step(std::move(*typed), std::move(options));
            ObservationT observation = co_await std::move(task);
            apply_transform(*environment_, observation);
            append_result<E>(observation, form, out);
            co_return CallOutcome::ok;
        } catch (const std::exception& error) {
            co_return failed(out, start, error.what());
        } catch (...) {
            co_return failed(out, start, "unknown exception");
        }
    }

    CallOutcome reset(std::string_view, std::stop_token, ResultForm, std::string& out) override {
        return failed(out, out.size(), kNeedsAwaitable);
    }
    CallOutcome step(std::string_view, const StepOptions&, ResultForm, std::string& out) override {
        return failed(out, out.size(), kNeedsAwaitable);
    }
    CallOutcome state(std::string& out) override { return append_state(*environment_, out); }
    std::optional<EnvironmentMetadata> metadata() const override {
        return environment_->metadata();
    }
    void close() noexcept override { environment_->close(); }

private:
    static constexpr std::string_view kNeedsAwaitable =
        "this environment waits: its reset and step are reached by async_calls(), on the io thread "
        "of Execution::awaitable";

    std::unique_ptr<E> environment_;
    bool was_reset_ = false;
};

}  // namespace detail
}  // namespace v0
}  // namespace openenv
