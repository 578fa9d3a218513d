#pragma once

#include <openenv/env/metadata.hpp>
#include <openenv/env/options.hpp>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {

/// How a call into an environment ended, and so what it left in the output buffer.
enum class CallOutcome : std::uint8_t {
    ok,       ///< the result, as JSON
    invalid,  ///< the input did not fit: a JSON array of validation errors; nothing was run
    failed,   ///< the environment threw: the text of the exception, not JSON
};

/// Who reads a result. HTTP wants every reward as a float and an explicit `metadata: null`.
enum class ResultForm : std::uint8_t { websocket, http };

class AsyncCalls;

/// An environment behind one interface for every action and observation type: JSON text in, JSON
/// text appended to a buffer. What is appended to `out` is told by the outcome.
/// Errors: no call but `metadata` throws; user code is caught here and nowhere else.
/// Thread: one call at a time, where the environment's execution policy says.
class AnyEnvironment {
public:
    AnyEnvironment() = default;
    virtual ~AnyEnvironment() = default;
    AnyEnvironment(const AnyEnvironment&) = delete;
    AnyEnvironment& operator=(const AnyEnvironment&) = delete;

    /// `arguments` is the text of a JSON object: seed, episode_id and the environment's own.
    virtual CallOutcome reset(
        std::string_view arguments, std::stop_token stop, ResultForm form, std::string& out
    ) = 0;
    /// `action` is the text of a JSON object: the bare action.
    virtual CallOutcome step(
        std::string_view action, const StepOptions& options, ResultForm form, std::string& out
    ) = 0;
    /// The calls that take the place of reset and step where the environment waits without holding
    /// a thread (AsyncEnvironment); null for every other. Lifetime: as *this.
    [[nodiscard]] virtual AsyncCalls* async_calls() noexcept { return nullptr; }
    virtual CallOutcome state(std::string& out) = 0;
    /// Nothing when the environment tells nothing of itself. May throw what user code throws.
    [[nodiscard]] virtual std::optional<EnvironmentMetadata> metadata() const = 0;
    virtual void close() noexcept = 0;
};

}  // namespace v0
}  // namespace openenv
