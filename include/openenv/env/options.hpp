#pragma once

#include <openenv/base/json.hpp>
#include <openenv/model/field.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {

/// The reset arguments of an environment that declares none of its own.
struct NoResetArgs {
    static constexpr auto fields = no_fields<NoResetArgs>();
};

/// What a caller may say at reset. A class with a constructor on purpose: gcc 12 destroys
/// temporaries of aggregates twice in some coroutine expressions.
template <class Args = NoResetArgs>
class ResetOptions {
public:
    ResetOptions() = default;
    explicit ResetOptions(std::int64_t wanted_seed) : seed(wanted_seed) {}

    std::optional<std::int64_t> seed;       ///< the same seed gives the same episode
    std::optional<std::string> episode_id;  ///< the caller's name for the episode
    Args args;                              ///< the environment's own arguments, validated
    Json extra =
        Json::object();  ///< other keys; filled if `accepts_any_reset_argument` is declared
    /// Asked to stop when the caller is gone or out of time. Best looked at in between: a
    /// std::stop_callback runs on a thread of the server's, and must neither wait nor throw.
    std::stop_token stop;
};

/// What a caller may say beside the action. See ResetOptions for why this is no aggregate.
class StepOptions {
public:
    StepOptions() = default;

    std::optional<double> timeout_s;        ///< seconds, as the caller gave them
    std::optional<std::string> request_id;  ///< the caller's name for the request (HTTP only)
    /// What the caller sent beside the action: over HTTP every other key of the body, over `/ws`
    /// the `extra` of the extension `deadline`.
    Json extra = Json::object();
    /// When the server stops waiting for this call; unset where no limit applies.
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::stop_token stop;  ///< as in ResetOptions
};

}  // namespace v0
}  // namespace openenv
