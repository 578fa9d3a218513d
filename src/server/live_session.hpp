#pragma once

#include "server/peer_limit.hpp"
#include "server/shard_counters.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>
#include <openenv/net/message_stream.hpp>
#include <openenv/session/capacity.hpp>
#include <openenv/session/session.hpp>

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

struct Context;
struct Shard;

/// What a session is to those who watch the server: GET /sessions lists it while this object lives,
/// /metrics counts what it is told, and lines of the log carry its name. Also gets the session its
/// place. In this order: admit, creating, opened, then called and answered in turn, ends.
/// Thread: the io thread of its shard. Lifetime: outlived by stream, owner and session.
class LiveSession final : public boost::intrusive::list_base_hook<
                              boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    using Clock = std::chrono::steady_clock;

public:
    /// What the last frame of a released session says.
    static constexpr std::string_view kReleased = "session released by an operator";

    /// Who can end the session.
    class Owner {
    public:
        /// An operator wants it ended now: its place given back (Session::give_place_back), a call
        /// that is stuck given up, a SESSION_ERROR saying kReleased as the last that the peer reads
        /// of it. False: its place cannot be given back before the environment is gone.
        /// May be called again. Must not destroy the LiveSession on the spot.
        virtual bool release() = 0;

    protected:
        ~Owner() = default;
    };

    LiveSession(
        Context& context,
        Shard& shard,
        Transport transport,
        const net::MessageStream& stream,
        Owner& owner
    );
    /// Counted as ended by a fault unless ends() said why.
    ~LiveSession();
    LiveSession(const LiveSession&) = delete;
    LiveSession& operator=(const LiveSession&) = delete;

    /// A place of the capacity, waited for in the queue if the server has one, until the deadline
    /// of the call that needs it at the latest. Nothing: see refusal_frame(); the session is listed
    /// no more and nothing else may be told.
    [[nodiscard]] net::io_awaitable<std::optional<session::Capacity::Slot>> admit(
        std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt
    );
    /// After admit() gave nothing: the error frame that says why. Empty when the call's deadline
    /// ended it, or leave_queue(). Its members become those of a batch's entry.
    [[nodiscard]] const std::string& refusal_frame() const noexcept { return refusal_frame_; }
    /// After admit() gave nothing: the call's deadline has passed.
    [[nodiscard]] bool was_too_late() const noexcept { return was_too_late_; }
    /// Ends the waiting for a place: the peer has gone, or the server stops.
    void leave_queue() noexcept;

    /// Its environment is being built now; `session` is looked at until the end.
    void creating(const session::Session& session);
    void opened();
    /// It never came to be. Listed no more.
    void not_created();

    /// A message of it is being worked on. `arguments` are those of a reset: they may name the
    /// episode.
    void called(CallKind kind, std::string_view arguments = {}) {
        called(kind, arguments, Clock::now());
    }
    /// The same where the time is known: looking at the clock is most of what this costs.
    void called(CallKind kind, std::string_view arguments, Clock::time_point now);
    /// That has ended and its answer is about to be sent.
    void answered(const Result<CallOutcome>& outcome) { answered(outcome, Clock::now()); }
    void answered(const Result<CallOutcome>& outcome, Clock::time_point now);

    /// Why it is about to end; of several reasons the first counts.
    void ends(SessionEnd why) noexcept;

    /// Writes a line that names the session, its episode and its peer.
    void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {})
        const;

    /// "3f5a-0-17": the server, the io thread, and a number.
    [[nodiscard]] std::string id() const;
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
    [[nodiscard]] Owner& owner() const noexcept { return owner_; }

    /// What GET /sessions tells of it.
    struct Report {
        std::string id;
        std::string peer;
        Transport transport = Transport::websocket;
        std::string features;
        SessionState state = SessionState::idle;
        Clock::duration age{};
        Clock::duration idle{};               ///< since the last sign of life; 0 during a call
        std::optional<Clock::duration> call;  ///< how long the call under way has taken so far
        std::uint64_t calls = 0;
        std::optional<std::string> episode_id;  ///< as far as a reset named it
    };
    [[nodiscard]] Report report(Clock::time_point now) const;

private:
    void enter(SessionState state) noexcept;
    /// Out of the list and the counts of sessions.
    void withdraw() noexcept;
    [[nodiscard]] std::optional<session::Capacity::Slot> refuse(Refusal why);
    [[nodiscard]] std::optional<session::Capacity::Slot> refuse_peer();

    Context& context_;
    Shard& shard_;
    const net::MessageStream& stream_;
    Owner& owner_;
    const std::uint64_t number_;
    const Clock::time_point born_;
    Clock::time_point active_;  // the latest sign of life
    std::uint64_t calls_ = 0;
    std::string episode_id_;
    std::string refusal_frame_;
    const session::Session* session_ = nullptr;
    std::optional<PeerLimit::Place> peer_place_;
    std::optional<session::Capacity::Waiter> waiter_;
    std::optional<SessionEnd> end_;
    const Transport transport_;
    SessionState state_ = SessionState::waiting;
    CallKind call_ = CallKind::step;
    bool listed_ = true;
    bool was_opened_ = false;
    bool was_too_late_ = false;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
