#include "server/live_session.hpp"

#include "server/call_end.hpp"
#include "server/context.hpp"

#include <openenv/base/json_members.hpp>
#include <openenv/base/json_reader.hpp>
#include <openenv/base/json_writer.hpp>
#include <openenv/wire/frame.hpp>

#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// What of a peer's own text is kept to tell sessions apart.
constexpr std::size_t kKeptEpisodeId = 128;

/// The episode that a reset's arguments name, or an empty text.
std::string episode_in(std::string_view arguments) {
    const std::string_view raw = raw_member(arguments, "episode_id");
    if (raw.empty()) {
        return {};
    }
    JsonReader reader(raw);
    if (reader.peek() != JsonToken::string) {
        return {};
    }
    return std::string(reader.read_string().substr(0, kKeptEpisodeId));
}

std::string per_peer_frame(const std::string& host, std::size_t most) {
    std::string out;
    JsonWriter writer(out);
    writer.begin_object();
    writer.key("type");
    writer.string("error");
    writer.key("data");
    writer.begin_object();
    writer.key("message");
    writer.string(
        "Peer at capacity: " + host + " has all " + std::to_string(most) +
        " sessions that one peer may have (--max-sessions-per-peer). Cannot accept new connections."
    );
    writer.key("code");
    writer.string(wire::name_of(wire::FrameErrorCode::capacity_reached));
    writer.key("active_sessions");
    writer.integer(most);
    writer.key("max_sessions");
    writer.integer(most);
    writer.end_object();
    writer.end_object();
    return out;
}

}  // namespace

LiveSession::LiveSession(
    Context& context,
    Shard& shard,
    Transport transport,
    const net::MessageStream& stream,
    Owner& owner
)
    : context_(context),
      shard_(shard),
      stream_(stream),
      owner_(owner),
      number_(++shard.session_numbers),
      born_(Clock::now()),
      active_(born_),
      transport_(transport) {
    shard_.counters.sessions[state_].add();
    shard_.sessions.push_back(*this);
}

LiveSession::~LiveSession() {
    if (was_opened_) {
        const SessionEnd why = end_.value_or(SessionEnd::fault);
        shard_.counters.ended[why].add();
        log(LogLevel::debug,
            "session closed",
            {{"reason", name_of(why)},
             {"calls", calls_},
             {"duration_s", std::chrono::duration<double>(Clock::now() - born_).count()}});
    }
    withdraw();
}

void LiveSession::withdraw() noexcept {
    if (std::exchange(listed_, false)) {
        shard_.counters.sessions[state_].subtract();
        unlink();
        peer_place_.reset();
    }
}

void LiveSession::enter(SessionState state) noexcept {
    shard_.counters.sessions[state_].subtract();
    state_ = state;
    shard_.counters.sessions[state_].add();
}

net::io_awaitable<std::optional<session::Capacity::Slot>> LiveSession::admit(
    std::optional<Clock::time_point> deadline
) {
    using session::Capacity;
    if (context_.peers.limited() && transport_ != Transport::in_process) {
        peer_place_.emplace(context_.peers, stream_.peer().host);
        if (!peer_place_->granted()) {
            co_return refuse_peer();
        }
    }
    if (!waiter_) {
        waiter_.emplace(context_.capacity, shard_.io);
    }
    const Clock::time_point queue_deadline = born_ + context_.config.queue_timeout;
    const bool is_calls = deadline && *deadline < queue_deadline;
    std::variant<Capacity::Slot, Capacity::NoPlace> place =
        co_await waiter_->wait(is_calls ? *deadline : queue_deadline);
    waiter_.reset();
    active_ = Clock::now();
    if (context_.capacity.queue_depth() != 0) {
        shard_.counters.queue_times.record(active_ - born_);
    }
    if (auto* slot = std::get_if<Capacity::Slot>(&place)) {
        co_return std::move(*slot);
    }
    switch (std::get<Capacity::NoPlace>(place)) {
        case Capacity::NoPlace::full:
            co_return refuse(Refusal::capacity);
        case Capacity::NoPlace::too_late:
            if (!is_calls) {
                co_return refuse(Refusal::queue_timeout);
            }
            was_too_late_ = true;
            shard_.counters.refused[Refusal::queue_timeout].add();
            withdraw();
            co_return std::nullopt;
        case Capacity::NoPlace::left:
            break;
    }
    if (context_.draining) {
        shard_.counters.refused[Refusal::draining].add();
    } else {
        shard_.counters.left_queue.add();
    }
    withdraw();
    co_return std::nullopt;
}

std::optional<session::Capacity::Slot> LiveSession::refuse(Refusal why) {
    const std::size_t max = context_.capacity.max();
    const char* waited =
        why == Refusal::queue_timeout ? " and none became free within the queue timeout" : "";
    if (shard_.refusal_lines.may_speak(Clock::now())) {
        log(LogLevel::warning,
            "session refused: all " + std::to_string(max) + " places are taken" + waited +
                "; MAX_CONCURRENT_ENVS or --max-concurrent-envs sets how many there are" +
                shard_.refusal_lines.unsaid());
    }
    refusal_frame_ = wire::capacity_frame(max, max);
    shard_.counters.refused[why].add();
    withdraw();
    return std::nullopt;
}

std::optional<session::Capacity::Slot> LiveSession::refuse_peer() {
    const std::size_t most = context_.peers.most();
    if (shard_.refusal_lines.may_speak(Clock::now())) {
        log(LogLevel::warning,
            "session refused: its peer has all " + std::to_string(most) +
                " that --max-sessions-per-peer allows" + shard_.refusal_lines.unsaid());
    }
    refusal_frame_ = per_peer_frame(stream_.peer().host, most);
    shard_.counters.refused[Refusal::per_peer].add();
    withdraw();
    return std::nullopt;
}

void LiveSession::leave_queue() noexcept {
    if (state_ != SessionState::waiting || !listed_) {
        return;
    }
    if (!waiter_) {
        waiter_.emplace(context_.capacity, shard_.io);
    }
    waiter_->leave();
}

void LiveSession::creating(const session::Session& session) {
    session_ = &session;
    active_ = Clock::now();
    enter(SessionState::creating);
}

void LiveSession::opened() {
    const Clock::time_point now = Clock::now();
    shard_.counters.creation_times.record(now - active_);
    shard_.counters.opened.add();
    active_ = now;
    was_opened_ = true;
    enter(SessionState::idle);
    if (logs(LogLevel::debug)) {
        log(LogLevel::debug,
            "session opened; " + std::to_string(context_.capacity.active()) + " of " +
                std::to_string(context_.capacity.max()) + " places taken");
    }
}

void LiveSession::not_created() {
    session_ = nullptr;
    shard_.counters.refused[Refusal::creation].add();
    withdraw();
}

void LiveSession::called(CallKind kind, std::string_view arguments, Clock::time_point now) {
    ++calls_;
    call_ = kind;
    active_ = now;
    enter(SessionState::busy);
    if (kind == CallKind::reset) {
        episode_id_ = episode_in(arguments);
    }
}

void LiveSession::answered(const Result<CallOutcome>& outcome, Clock::time_point now) {
    const auto kind = static_cast<std::size_t>(call_);
    const CallEnd end = call_end(outcome);
    shard_.counters.calls[kind][end].add();
    shard_.counters.call_times[kind].record(now - active_);
    if (end != CallEnd::ok && logs(LogLevel::debug)) {
        const bool has_phase = !outcome && !outcome.error().phase.empty();
        log(LogLevel::debug,
            "call did not succeed",
            {{"call", name_of(call_)},
             {"outcome", name_of(end)},
             {"phase", has_phase ? std::string_view(outcome.error().phase) : "running"},
             {"duration_s", std::chrono::duration<double>(now - active_).count()}});
    }
    active_ = now;
    const bool lost = !outcome && session_ != nullptr && !session_->has_environment();
    enter(lost ? SessionState::given_up : SessionState::idle);
}

void LiveSession::ends(SessionEnd why) noexcept {
    end_ = end_.value_or(why);
}

void LiveSession::log(
    LogLevel level, std::string_view message, std::initializer_list<LogField> fields
) const {
    if (!logs(level)) {
        return;
    }
    const std::string name = id();
    const std::string peer = stream_.peer().text();
    std::vector<LogField> all{{"session", name}, {"peer", peer}};
    if (!episode_id_.empty()) {
        all.emplace_back("episode", std::string_view(episode_id_));
    }
    all.insert(all.end(), fields.begin(), fields.end());
    openenv::log(level, message, std::span<const LogField>(all));
}

std::string LiveSession::id() const {
    return context_.server_id + "-" + std::to_string(shard_.index) + "-" + std::to_string(number_);
}

LiveSession::Report LiveSession::report(Clock::time_point now) const {
    Report report;
    report.id = id();
    report.peer = stream_.peer().text();
    report.transport = transport_;
    report.features = stream_.features();
    report.state = state_;
    report.age = now - born_;
    report.calls = calls_;
    if (state_ == SessionState::busy || state_ == SessionState::creating) {
        report.call = now - active_;
    } else {
        report.idle = now - active_;
    }
    if (state_ == SessionState::busy && session_ != nullptr && !session_->has_begun()) {
        report.state = SessionState::queued;
    }
    if (!episode_id_.empty()) {
        report.episode_id = episode_id_;
    }
    return report;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
