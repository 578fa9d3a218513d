#pragma once

#include <openenv/env/environment_base.hpp>

namespace openenv {
inline namespace v0 {

/// A world that an agent acts in: derive, and write reset, step and state (see also
/// detail::EnvironmentBase for close, metadata and set_transform). An environment that has to wait
/// for something, and for many sessions at once, derives from AsyncEnvironment instead.
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
class Environment : public detail::EnvironmentBase<ActionT, ObservationT, ResetArgsT> {
public:
    Environment() = default;

    /// Starts an episode and returns what the agent sees first. Reward and done may be left alone.
    virtual ObservationT reset(const ResetOptions<ResetArgsT>& options) = 0;

    /// Applies one valid action. May be called before any reset, and after `done`.
    virtual ObservationT step(const ActionT& action, const StepOptions& options) = 0;

protected:
    Environment(const Environment&) = default;
    Environment& operator=(const Environment&) = default;
};

}  // namespace v0
}  // namespace openenv
