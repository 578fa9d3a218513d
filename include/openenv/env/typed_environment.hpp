#pragma once

#include <openenv/base/json_writer.hpp>
#include <openenv/env/any_environment.hpp>
#include <openenv/env/entry.hpp>
#include <openenv/env/environment.hpp>
#include <openenv/env/reset_request.hpp>
#include <openenv/model/model.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace openenv {
inline namespace v0 {

namespace detail {

template <class E>
constexpr EnvironmentTraits traits_of() {
    EnvironmentTraits traits;
    if constexpr (requires { E::execution; }) {
        traits.execution = E::execution;
    }
    if constexpr (requires { E::supports_concurrent_sessions; }) {
        traits.supports_concurrent_sessions = E::supports_concurrent_sessions;
    }
    return traits;
}

template <class E>
constexpr bool accepts_any_reset_argument() {
    if constexpr (requires { E::accepts_any_reset_argument; }) {
        return E::accepts_any_reset_argument;
    }
    return false;
}

template <class E>
constexpr bool requires_reset() {
    if constexpr (requires { E::requires_reset; }) {
        return E::requires_reset;
    }
    return false;
}

template <class E>
constexpr bool refuses_non_finite_reward() {
    if constexpr (requires { E::refuses_non_finite_reward; }) {
        return E::refuses_non_finite_reward;
    }
    return false;
}

template <class E>
using StateOf = std::remove_cvref_t<decltype(std::declval<const E&>().state())>;

/// Replaces what a call has written so far by the text of its failure.
CallOutcome failed(std::string& out, std::size_t start, std::string_view text);
/// Writes a result around an observation's own fields, which are written in between.
/// Lifetime: text and observation outlive it.
class ResultWriter {
public:
    ResultWriter(std::string& out, const Observation& observation);
    [[nodiscard]] JsonWriter& fields() noexcept { return writer_; }
    void finish(ResultForm form);

private:
    std::string& out_;
    const Observation& observation_;
    JsonWriter writer_;
    // Where the metadata stands: it is sent twice.
    std::size_t metadata_at_ = 0;
    std::size_t metadata_size_ = 0;
};
/// True for NaN and the infinities.
bool is_non_finite(const Reward& reward) noexcept;

/// Reads the arguments of a reset. Nothing when they do not fit: `out` has the errors then.
/// Errors: throws UserError for a seed that is no integer of 64 bits.
template <class E>
std::optional<ResetOptions<typename E::ResetArgs>> read_reset(
    std::string_view arguments, std::stop_token stop, ResultForm form, std::string& out
) {
    using ArgsT = typename E::ResetArgs;
    model::ValidationErrors errors;
    std::optional<ResetOptions<ArgsT>> options(std::in_place);
    const bool good = model::read(arguments, options->args, errors, {.ignore_extra = true});
    ResetBasics basics = read_reset_basics(arguments, errors);
    if (!good || !errors.empty()) {
        errors.append_json(
            out, form == ResultForm::http ? model::kBodyErrors : model::kActionErrors
        );
        options.reset();
        return options;
    }
    options->seed = basics.seed;
    options->episode_id = std::move(basics.episode_id);
    options->stop = std::move(stop);
    if constexpr (accepts_any_reset_argument<E>()) {
        options->extra = other_arguments(arguments, model::struct_info<ArgsT>.fields);
    }
    return options;
}

/// Reads the action of a step. Nothing when it does not fit: `out` has the errors then.
/// Errors: throws UserError when a reset has to come first.
template <class E>
std::optional<typename E::Action> read_action(
    std::string_view action, bool was_reset, std::string& out
) {
    model::ValidationErrors errors;
    std::optional<typename E::Action> typed(std::in_place);
    if (!model::read(action, *typed, errors)) {
        errors.append_json(out);
        typed.reset();
        return typed;
    }
    if (requires_reset<E>() && !was_reset) {
        throw UserError("call reset first");
    }
    return typed;
}

/// What follows a step: the transform, if there is one. Errors: throws what it throws.
template <class E>
void apply_transform(const E& environment, typename E::Observation& observation) {
    if (const Transform<typename E::Observation>* transform = environment.transform()) {
        transform->apply(observation);
    }
}

/// Writes an observation as the result of a call.
/// Errors: throws UserError for a reward that the environment says it never gives.
template <class E>
void append_result(const typename E::Observation& observation, ResultForm form, std::string& out) {
    if (refuses_non_finite_reward<E>() && is_non_finite(observation.reward)) {
        throw UserError("the reward is not a finite number");
    }
    ResultWriter result(out, observation);
    model::write_own_fields<Observation>(result.fields(), observation);
    result.finish(form);
}

/// Runs `call`, which calls user code, and turns what that throws into an outcome.
template <class Call>
CallOutcome guarded(std::string& out, Call call) {
    const std::size_t start = out.size();
    try {
        return call();
    } catch (const std::exception& error) {
        return failed(out, start, error.what());
    } catch (...) {
        return failed(out, start, "unknown exception");
    }
}

/// The whole call: asks an environment for its state and writes it.
template <class E>
CallOutcome append_state(const E& environment, std::string& out) {
    return guarded(out, [&] {
        const StateOf<E>& state = environment.state();
        JsonWriter writer(out);
        model::write(writer, state);
        return CallOutcome::ok;
    });
}

/// Puts an environment of any type behind AnyEnvironment: reads its actions, writes its
/// observations, and is the one place where user code is called and what it throws is caught
/// (TypedAsyncEnvironment is that for its kind).
template <class E>
class TypedEnvironment final : public AnyEnvironment {
    using ActionT = typename E::Action;
    using ObservationT = typename E::Observation;
    using ArgsT = typename E::ResetArgs;

public:
    explicit TypedEnvironment(std::unique_ptr<E> environment)
        : environment_(std::move(environment)) {}

    CallOutcome reset(
        std::string_view arguments, std::stop_token stop, ResultForm form, std::string& out
    ) override {
        return guarded(out, [&] {
            const std::optional<ResetOptions<ArgsT>> options =
                read_reset<E>(arguments, std::move(stop), form, out);
            if (!options) {
                return CallOutcome::invalid;
            }
            const ObservationT observation = environment_->reset(*options);
            was_reset_ = true;
            append_result<E>(observation, form, out);
            return CallOutcome::ok;
        });
    }

    CallOutcome step(
        std::string_view action, const StepOptions& options, ResultForm form, std::string& out
    ) override {
        return guarded(out, [&] {
            const std::optional<ActionT> typed = read_action<E>(action, was_reset_, out);
            if (!typed) {
                return CallOutcome::invalid;
            }
            ObservationT observation = environment_->step(*typed, options);
            apply_transform(*environment_, observation);
            append_result<E>(observation, form, out);
            return CallOutcome::ok;
        });
    }

    CallOutcome state(std::string& out) override { return append_state(*environment_, out); }

    std::optional<EnvironmentMetadata> metadata() const override {
        return environment_->metadata();
    }

    void close() noexcept override { environment_->close(); }

private:
    std::unique_ptr<E> environment_;
    bool was_reset_ = false;
};

/// How E is put behind AnyEnvironment. async_environment.hpp knows another way for its kind.
template <class E>
struct AdapterOf {
    using type = TypedEnvironment<E>;
    static constexpr bool asynchronous = false;
};

}  // namespace detail

/// Builds an environment by its default constructor.
template <class E>
[[nodiscard]] std::function<std::unique_ptr<E>()> default_factory() {
    static_assert(
        std::is_abstract_v<E> || std::is_default_constructible_v<E>,
        "this environment has no default constructor: give openenv::serve or environment_entry a "
        "function that builds one"
    );
    if constexpr (std::is_default_constructible_v<E>) {
        return [] { return std::make_unique<E>(); };
    } else {
        return {};
    }
}

/// All that is known of environment E, an Environment or an AsyncEnvironment, before one is built.
/// `make` builds each instance.
template <class E>
[[nodiscard]] EnvironmentEntry environment_entry(
    std::string name, std::function<std::unique_ptr<E>()> make = default_factory<E>()
) {
    using Adapter = detail::AdapterOf<E>;
    static_assert(
        !std::is_abstract_v<E> || Adapter::asynchronous,
        "this environment leaves out something: override reset, step and state, const where they "
        "are, with exactly the types that openenv::Environment<Action, Observation, ResetArgs> "
        "gives them"
    );
    static_assert(
        !std::is_abstract_v<E> || !Adapter::asynchronous,
        "this environment leaves out something: override reset, step and state with exactly the "
        "types that openenv::AsyncEnvironment<Action, Observation, ResetArgs> gives them; reset "
        "and step take their parameters by value and return an openenv::Task"
    );
    static_assert(
        !Adapter::asynchronous || detail::traits_of<E>().execution == Execution::awaitable,
        "an openenv::AsyncEnvironment runs as Execution::awaitable: leave `execution` out, or "
        "derive from openenv::Environment"
    );
    static_assert(
        Adapter::asynchronous || detail::traits_of<E>().execution != Execution::awaitable,
        "Execution::awaitable is for environments that derive from openenv::AsyncEnvironment"
    );
    EnvironmentEntry entry;
    entry.name = std::move(name);
    entry.class_name = std::string(model::type_title<E>());
    entry.traits = detail::traits_of<E>();
    model::write_schema<typename E::Action>(entry.schemas.action);
    model::write_schema<typename E::Observation>(entry.schemas.observation);
    model::write_schema<detail::StateOf<E>>(entry.schemas.state);
    entry.schemas.reset = detail::reset_schema(
        model::schema<typename E::ResetArgs>(), detail::accepts_any_reset_argument<E>()
    );
    if constexpr (!std::is_abstract_v<E>) {
        entry.make = [make = std::move(make)]() -> std::unique_ptr<AnyEnvironment> {
            std::unique_ptr<E> environment = make();
            if (!environment) {
                return nullptr;
            }
            return std::make_unique<typename Adapter::type>(std::move(environment));
        };
    }
    return entry;
}

}  // namespace v0
}  // namespace openenv
