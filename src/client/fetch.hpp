#pragma once

#include "client/event.hpp"
#include "client/loop_state.hpp"

#include <openenv/base/error.hpp>
#include <openenv/net/connect.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace client {

/// One HTTP request to a server, on a connection of its own.
/// Thread: the loop's. Lifetime: shared with the coroutine that works on it.
class Fetch : public std::enable_shared_from_this<Fetch> {
public:
    Fetch(
        std::shared_ptr<LoopState> loop,
        net::DialOptions options,
        std::shared_ptr<const net::ConnectionLimits> limits
    );
    Fetch(const Fetch&) = delete;
    Fetch& operator=(const Fetch&) = delete;

    /// Begins it. `target` is the path and query as sent.
    void start(net::Url url, std::string target);

    /// Whether it has begun to ask, as opposed to connecting.
    [[nodiscard]] bool is_connected() const noexcept { return dial_.is_connected(); }
    /// What it does as long as it is connecting, such as "resolving".
    [[nodiscard]] std::string_view step() const noexcept { return dial_.step(); }
    /// The answer, or why there is none; nothing while it is under way.
    [[nodiscard]] std::optional<Result<net::HttpResponse>>& outcome() noexcept { return outcome_; }
    /// Tells that there is an outcome.
    [[nodiscard]] Event& changed() noexcept { return changed_; }

    void abort() noexcept { dial_.abort(); }

private:
    [[nodiscard]] static net::io_awaitable<void> run(
        std::shared_ptr<Fetch> self, net::Url url, std::string target
    );

    std::shared_ptr<LoopState> loop_;
    SweeperUse sweeper_use_;
    net::Dial dial_;
    std::optional<Result<net::HttpResponse>> outcome_;
    Event changed_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
