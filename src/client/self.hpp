#pragma once

#include "client/core.hpp"
#include "client/vector_core.hpp"

#include <openenv/client/loop.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <sys/types.h>

namespace openenv {
inline namespace v0 {
namespace client {

/// What a client object is inside: shared with its calls, which may outlive it.
class Self {
public:
    enum class Style { undecided, async, blocking };

    /// With `vector` a VectorEnv, whose first connection is `core`.
    Self(
        std::shared_ptr<ClientLoop> loop,
        std::shared_ptr<Core> core,
        std::shared_ptr<VectorCore> vector = nullptr
    );
    ~Self();
    Self(const Self&) = delete;
    Self& operator=(const Self&) = delete;

    /// Errors: Exception (usage) when the process was forked since, or the style is another.
    void enter(Style style);
    /// The client object is gone.
    void abandon() noexcept;

    /// Whether this is another process than the one that made the client.
    [[nodiscard]] bool is_forked() const noexcept;
    [[nodiscard]] ClientLoop& loop() noexcept { return *loop_; }
    [[nodiscard]] const std::shared_ptr<ClientLoop>& shared_loop() const noexcept { return loop_; }
    [[nodiscard]] Core& core() noexcept { return *core_; }
    /// Null for a client of one session.
    [[nodiscard]] VectorCore* vector() noexcept { return vector_.get(); }

private:
    std::optional<ExitWaits> last_work_;  // goes last: once the client object is gone
    std::shared_ptr<ClientLoop> loop_;    // before the core: its thread destroys that
    std::shared_ptr<Core> core_;
    std::shared_ptr<VectorCore> vector_;
    std::atomic<Style> style_{Style::undecided};
    const pid_t process_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
