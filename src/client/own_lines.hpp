#pragma once

#include "client/core.hpp"
#include "client/lines.hpp"
#include "client/loop_state.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

/// A connection of its own for each session.
class OwnLines final : public Lines, public std::enable_shared_from_this<OwnLines> {
public:
    /// The first session is that of `core`, the others are its children. The address is known.
    OwnLines(
        Owner& owner,
        std::shared_ptr<LoopState> loop,
        const std::shared_ptr<Core>& core,
        std::size_t sessions
    );

    void send(const Questions& questions, const CallState& call, std::size_t min) override;
    void give_up(std::size_t session) override;
    void abort() noexcept override;

    /// Opens those connections that are not.  Errors: of the first that failed.
    [[nodiscard]] static net::io_awaitable<Result<void>> connect(
        std::shared_ptr<OwnLines> self, std::shared_ptr<CallState> call
    );

private:
    struct Line {
        std::shared_ptr<Core> core;
        std::shared_ptr<CallState> asking = nullptr;  // shared with the call under way
    };

    [[nodiscard]] static net::io_awaitable<void> ask(
        std::shared_ptr<OwnLines> self,
        std::size_t session,
        Ask what,
        std::string message,
        std::shared_ptr<CallState> call
    );
    [[nodiscard]] static net::io_awaitable<void> connect_one(
        std::shared_ptr<Core> core,
        std::shared_ptr<CallState> call,
        std::shared_ptr<Result<void>> failure,
        Countdown::Part part
    );
    void answer(std::size_t session, Result<SessionAnswer> answer);

    const std::shared_ptr<LoopState> loop_;
    std::vector<Line> lines_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
