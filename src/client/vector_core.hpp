#pragma once

#include "client/core.hpp"
#include "client/event.hpp"
#include "client/lines.hpp"
#include "client/loop_state.hpp"
#include "client/turns.hpp"

#include <openenv/client/questions.hpp>
#include <openenv/client/vector_answers.hpp>
#include <openenv/client/vector_options.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

/// A VectorEnv without types: many sessions, what they are asked, and what comes of it.
/// Thread: the loop's, but for make(). Lifetime: shared by the object and the calls under way.
class VectorCore final : public Lines::Owner {
public:
    /// Thread: any; it is destroyed on the loop's.  Errors: ConfigError.
    [[nodiscard]] static std::shared_ptr<VectorCore> make(
        std::shared_ptr<LoopState> loop, std::shared_ptr<Core> core, const VectorOptions& options
    );
    ~VectorCore();

    /// Opens the connection, or each of them.
    [[nodiscard]] net::io_awaitable<Result<void>> connect(std::shared_ptr<CallState> call);
    /// Asks each of the sessions and waits for all of them. What fails for one session stands in
    /// its outcome.  Errors: of the call as a whole: cancelled, usage, and network or configuration
    /// when no session could be reached.
    [[nodiscard]] net::io_awaitable<Result<SessionOutcomes>> ask(
        std::shared_ptr<const Questions> questions, std::shared_ptr<CallState> call
    );
    /// Asks and does not wait: receive() tells.
    [[nodiscard]] net::io_awaitable<Result<void>> send(
        std::shared_ptr<const Questions> questions, std::shared_ptr<CallState> call
    );
    /// What has come of sent questions, once there are `min`.  Errors: usage when so many are not
    /// under way; timeout and cancelled, of which no answer is lost.
    [[nodiscard]] net::io_awaitable<Result<SessionOutcomes>> receive(
        std::size_t min, std::shared_ptr<CallState> call
    );
    [[nodiscard]] net::io_awaitable<Result<void>> close(std::shared_ptr<CallState> call);
    /// The object is gone: ends everything at once.
    void abandon();

private:
    /// Where a session stands.
    enum class Stage {
        idle,
        asked,     ///< waits for its answer, and a call of ask() for it
        sent,      ///< waits for its answer
        answered,  ///< receive() has yet to tell
    };
    struct Session {
        Stage stage = Stage::idle;
        bool may_reset = false;                      // automatically, when the answer says so
        std::shared_ptr<std::size_t> left = {};      // of the call of ask(): answers to come
        std::shared_ptr<const CallState> call = {};  // whose limits hold for the reset as well
        SessionOutcome outcome = {};
    };
    /// Sessions that are to be reset, for one call.
    struct Resets {
        std::shared_ptr<const CallState> call;
        Questions questions{Ask::reset};
    };

    VectorCore(
        std::shared_ptr<LoopState> loop, std::shared_ptr<Core> core, const VectorOptions& options
    );

    [[nodiscard]] Result<void> check_idle(const Questions& questions) const;
    [[nodiscard]] net::io_awaitable<Result<void>> take_turn(
        Turns::Place& place, CallState& call, std::string_view what
    );
    [[nodiscard]] net::io_awaitable<Result<void>> ensure_lines(
        bool begins_anew, std::shared_ptr<CallState> call, std::string_view what
    );
    [[nodiscard]] net::io_awaitable<Result<void>> ensure_own_lines(
        std::shared_ptr<CallState> call, std::string_view what
    );
    void put(const Questions& questions, const std::shared_ptr<CallState>& call, Stage stage);
    void drop_lines();
    void give_up(const Questions& questions, const Error& why);
    [[nodiscard]] SessionOutcomes collect(const Questions& questions);

    void on_answer(std::size_t session, Result<SessionAnswer> answer) override;
    void on_pause() override;
    void complete(Session& session);

    const std::shared_ptr<LoopState> loop_;
    const std::shared_ptr<Core> core_;  // its own session is the first where each has a connection
    const VectorConnection connection_;
    const AutoReset auto_reset_;
    std::shared_ptr<Lines> lines_;      // null until connected; shared with what runs on them
    std::shared_ptr<Channel> channel_;  // that they share, if they do
    std::vector<Session> sessions_;
    std::size_t under_way_ = 0;  // of those sent
    std::deque<std::size_t> answered_;
    std::vector<Resets> resets_;
    std::size_t wanted_ = 0;  // by the receive() before: how many answers are worth a frame
    Turns turns_;
    Event changed_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
