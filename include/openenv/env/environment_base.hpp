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
namespace detail {

/// What Environment and AsyncEnvironment have in common: all but reset and step.
template <class ActionT, class ObservationT, class ResetArgsT>
class EnvironmentBase {
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

    virtual ~EnvironmentBase() = default;

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
    EnvironmentBase() = default;
    // An environment that can be copied can be forked; slicing is prevented by `protected`.
    EnvironmentBase(const EnvironmentBase&) = default;
    EnvironmentBase& operator=(const EnvironmentBase&) = default;

private:
    // Shared because a copy of the environment may run on another thread; const, so it may.
    std::shared_ptr<const Transform<ObservationT>> transform_;
};

}  // namespace detail
}  // namespace v0
}  // namespace openenv
