#pragma once

#include <openenv/base/error.hpp>
#include <openenv/env/episode_id.hpp>
#include <openenv/env/execution.hpp>
#include <openenv/env/metadata.hpp>
#include <openenv/env/options.hpp>
#include <openenv/env/transform.hpp>
#include <openenv/env/types.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <utility>

namespace openenv {
inline namespace v0 {

/// A world that an agent acts in: derive, and write reset, step and state.
///
/// Declared by the derived class where the default does not fit:
///   static constexpr bool supports_concurrent_sessions = true;  // several sessions at a time
///   static constexpr auto execution = openenv::Execution::pinned;  // where its code runs
///   static constexpr bool accepts_any_reset_argument = true;  // unknown reset keys reach `extra`
///   static constexpr bool requires_reset = true;              // step before reset is refused
///   static constexpr bool refuses_non_finite_reward = true;   // NaN as a reward is an error
///
/// Errors: whatever reset, step or state throw reaches the peer as EXECUTION_ERROR with the
/// exception's text; the session stays alive and the object is kept as it is.
/// Thread: one call at a time, where `execution` says.
template <class ActionT, class ObservationT, class ResetArgsT = NoResetArgs>
class Environment {
    static_assert(
        std::derived_from<ActionT, openenv::Action>,
        "an environment's action must derive from openenv::Action"
    );
    static_assert(
        std::derived_from<ObservationT, openenv::Observation>,
        "an environment's observation must derive from openenv::Observation"
    );
    static_assert(
        model::Described<ResetArgsT>,
        "an environment's reset arguments must be a struct with "
        "`static constexpr auto fields = openenv::fields(...);`"
    );

public:
    using Action = ActionT;
    using Observation = ObservationT;
    using ResetArgs = ResetArgsT;
    using ResetOptions = openenv::ResetOptions<ResetArgsT>;
    using StepOptions = openenv::StepOptions;

    Environment() = default;
    virtual ~Environment() = default;

    /// Starts an episode and returns what the agent sees first. Reward and done may be left alone.
    virtual ObservationT reset(const ResetOptions& options) = 0;

    /// Applies one valid action. May be called before any reset, and after `done`.
    virtual ObservationT step(const ActionT& action, const StepOptions& options) = 0;

    /// Where the episode stands. Return a struct derived from State to tell more.
    [[nodiscard]] virtual const State& state() const = 0;

    /// What to tell about the environment; by default its class name.
    [[nodiscard]] virtual std::optional<EnvironmentMetadata> metadata() const {
        return std::nullopt;
    }

    /// Called once, before the destructor and on the same thread.
    virtual void close() noexcept {}

    /// Applied to every observation of step, before it is written. Copies of the environment share
    /// it.
    void set_transform(std::shared_ptr<const Transform<ObservationT>> transform) {
        transform_ = std::move(transform);
    }
    [[nodiscard]] const Transform<ObservationT>* transform() const noexcept {
        return transform_.get();
    }

protected:
    // An environment that can be copied can be forked; slicing is prevented by `protected`.
    Environment(const Environment&) = default;
    Environment& operator=(const Environment&) = default;

private:
    // Shared because a copy of the environment may run on another thread; const, so it may.
    std::shared_ptr<const Transform<ObservationT>> transform_;
};

}  // namespace v0
}  // namespace openenv
