#pragma once

#include "server/batch_frames.hpp"
#include "server/context.hpp"
#include "server/live_session.hpp"

#include <openenv/session/session.hpp>
#include <openenv/wire/frame.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace server {

/// The sessions that share one connection (extension `batch`), each with a place of the capacity.
/// Calls of different sessions run beside each other, where the execution policy says.
/// Thread: the io thread. Lifetime: shared with the calls under way; the context outlives it.
class BatchSessions : public std::enable_shared_from_this<BatchSessions> {
public:
    /// `changed` is called when frames() may have one more, or nothing is under way any more.
    /// `stream` is the connection's, and outlives every session.
    BatchSessions(
        Context& context,
        Shard& shard,
        net::TaskGroup& tasks,
        const net::MessageStream& stream,
        std::function<void()> changed
    );

    /// Starts what a message asks for, which has `extras.batch`. Every entry is answered by
    /// frames(), sooner or later.
    void begin(const wire::Frame& frame, net::TimePoint arrived);

    [[nodiscard]] BatchFrames& frames() noexcept { return frames_; }
    [[nodiscard]] bool busy() const noexcept { return under_way_ != 0; }

    /// Ends the waiting for places: those resets are not answered any more.
    void leave_queue();
    /// Asks every call under way to stop.
    void request_stop();
    /// Ends the waiting for all of them.
    void give_up();
    /// Begins to close every session, which is over when busy() says so; nothing may be under way.
    void end(SessionEnd why);

private:
    /// One session, which comes to be with its first reset.
    struct Member final : LiveSession::Owner {
        explicit Member(BatchSessions& owner) : all(owner) {}
        bool release() override;

        BatchSessions& all;
        std::optional<session::Session> session;
        std::optional<LiveSession> watched;  // after what it looks at
        bool busy = false;
        bool released = false;  // by an operator, which the next call of it is told
    };
    /// One entry, owned by the call that carries it out.
    struct Call;
    class UnderWay;

    void start(wire::FrameKind kind, const wire::BatchEntry& entry, net::TimePoint arrived);
    /// True when the entry has been carried out and answered.
    [[nodiscard]] bool run_in_place(
        Member& member,
        wire::FrameKind kind,
        const wire::BatchEntry& entry,
        const session::CallTime& time
    );
    [[nodiscard]] static net::io_awaitable<void> run(
        std::shared_ptr<BatchSessions> self, std::shared_ptr<Member> member, Call call
    );
    [[nodiscard]] net::io_awaitable<void> carry_out(Member& member, Call& call);
    [[nodiscard]] net::io_awaitable<bool> open(Member& member, const Call& call);
    [[nodiscard]] net::io_awaitable<void> close(Member& member, SessionEnd why);
    [[nodiscard]] static net::io_awaitable<void> close_alone(
        std::shared_ptr<BatchSessions> self, std::shared_ptr<Member> member, SessionEnd why
    );
    void answer(Member& member, const Call& call, const Result<CallOutcome>& outcome);
    void answer_error(const Call& call, const Error& error);
    void answer_released(const Call& call);
    void forget(std::uint32_t number) { members_[number] = nullptr; }
    void form_due();

    Context& context_;
    Shard& shard_;
    net::TaskGroup& tasks_;
    const net::MessageStream& stream_;
    const wire::Features features_;
    std::function<void()> changed_;
    std::vector<std::shared_ptr<Member>> members_;  // by number; shared with their calls
    BatchFrames frames_;
    std::size_t under_way_ = 0;
    /// When the entry that is looked at begins: the time of its call is counted from there. Read
    /// anew whenever anything else has run.
    net::TimePoint turn_{};
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
