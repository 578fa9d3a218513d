#include "server/batch_sessions.hpp"

#include "server/frame_answers.hpp"
#include "server/step_options.hpp"

#include <algorithm>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

using wire::FrameErrorCode;
using wire::FrameKind;

namespace {

/// Output that grew larger is given back after it was copied.
constexpr std::size_t kKeptOutputBytes = 64 * 1024;

/// The type of a good answer.
std::string_view answer_type(FrameKind kind) {
    switch (kind) {
        case FrameKind::state:
            return "state";
        case FrameKind::close:
            return "closed";
        default:
            return "observation";
    }
}

}  // namespace

struct BatchSessions::Call {
    Call(FrameKind what, const wire::BatchEntry& entry, const session::CallTime& until)
        : kind(what),
          session(entry.session),
          id(entry.call.id),
          data(entry.data),
          extra(entry.call.extra),
          time(until) {}

    FrameKind kind;
    std::uint32_t session;
    std::string id;
    std::string data;
    std::string extra;
    session::CallTime time;
};

/// Counts a call from its start to its answer.
class BatchSessions::UnderWay {
public:
    UnderWay(BatchSessions& all, Member& member) : all_(all), member_(member) {
        ++all_.under_way_;
        member_.busy = true;
    }
    ~UnderWay() {
        member_.busy = false;
        --all_.under_way_;
        all_.form_due();
        all_.changed_();
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

private:
    BatchSessions& all_;
    Member& member_;
};

BatchSessions::BatchSessions(
    Context& context,
    Shard& shard,
    net::TaskGroup& tasks,
    const net::MessageStream& stream,
    std::function<void()> changed
)
    : context_(context),
      shard_(shard),
      tasks_(tasks),
      stream_(stream),
      features_(wire::parse_features(stream.features())),
      changed_(std::move(changed)),
      frames_(shard.io, [this] { changed_(); }) {}

void BatchSessions::begin(const wire::Frame& frame, net::TimePoint arrived) {
    if (frame.extras.former) {
        frames_.set_former(*frame.extras.former);
    }
    turn_ = std::chrono::steady_clock::now();
    for (const wire::BatchEntry& entry : *frame.extras.batch) {
        start(frame.kind, entry, arrived);
    }
    form_due();
}

void BatchSessions::start(FrameKind kind, const wire::BatchEntry& entry, net::TimePoint arrived) {
    const std::uint32_t number = entry.session;
    std::shared_ptr<Member> member = number < members_.size() ? members_[number] : nullptr;
    const auto refuse = [&](std::string text) {
        const std::string frame =
            wire::error_frame({FrameErrorCode::session_error, std::move(text)});
        frames_.add_error(number, entry.call.id, frame);
    };
    if (member && member->busy) {
        refuse("session " + std::to_string(number) + " is still busy with an earlier message");
        return;
    }
    if (member && member->released) {
        forget(number);
        member = nullptr;
        if (kind != FrameKind::reset) {
            refuse(std::string(LiveSession::kReleased) + "; reset opens another");
            return;
        }
    }
    if (!member && kind != FrameKind::reset) {
        refuse("session " + std::to_string(number) + " is not open; reset opens it");
        return;
    }
    if (!member) {
        members_.resize(std::max<std::size_t>(members_.size(), number + 1));
        member = members_[number] = std::make_shared<Member>(*this);
    }
    const session::CallTime time{arrived, entry.call.timeout_s};
    if (!run_in_place(*member, kind, entry, time)) {
        Call call(kind, entry, time);
        tasks_.spawn(shard_.io, run(shared_from_this(), std::move(member), std::move(call)));
        turn_ = std::chrono::steady_clock::now();  // it may have built an environment by now
    }
}

bool BatchSessions::run_in_place(
    Member& member, FrameKind kind, const wire::BatchEntry& entry, const session::CallTime& time
) {
    const bool has_fast_way = kind == FrameKind::step || kind == FrameKind::reset;
    if (!has_fast_way || !member.session || !member.session->is_in_place()) {
        return false;
    }
    member.watched->called(call_kind(kind), entry.data, turn_);
    frames_.begin_answer(entry.session, entry.call.id, answer_type(kind));
    const auto [outcome, ended] = kind == FrameKind::step
                                      ? member.session->step_in_place(
                                            entry.data,
                                            step_options(entry.call.extra, entry.call.timeout_s),
                                            ResultForm::websocket,
                                            time,
                                            turn_,
                                            frames_.out()
                                        )
                                      : member.session->reset_in_place(
                                            entry.data, ResultForm::websocket, turn_, frames_.out()
                                        );
    turn_ = ended;
    member.watched->answered(outcome, ended);
    if (outcome == CallOutcome::ok) {
        frames_.end_answer();
        return true;
    }
    if (outcome == CallOutcome::failed) {
        log_thrown(*member.watched, frames_.answer_so_far());
    }
    frames_.fail_answer(refusal_answer(outcome, std::string(frames_.answer_so_far())));
    turn_ = std::chrono::steady_clock::now();  // a line of the log is not the next one's
    return true;
}

net::io_awaitable<void> BatchSessions::run(
    std::shared_ptr<BatchSessions> self, std::shared_ptr<Member> member, Call call
) {
    const UnderWay counted(*self, *member);
    co_await self->carry_out(*member, call);
}

net::io_awaitable<void> BatchSessions::carry_out(Member& member, Call& call) {
    if (!member.session) {
        const bool opened = co_await open(member, call);
        if (!opened) {
            forget(call.session);
            co_return;
        }
    }
    session::Session& session = *member.session;
    if (call.kind == FrameKind::close) {
        co_await close(member, SessionEnd::close_requested);
        forget(call.session);
        frames_.begin_answer(call.session, call.id, answer_type(call.kind));
        frames_.out() += "{}";
        frames_.end_answer();
        co_return;
    }
    session.output().clear();
    member.watched->called(call_kind(call.kind), call.data);
    Result<CallOutcome> outcome = CallOutcome::ok;
    if (call.kind == FrameKind::reset) {
        outcome = co_await session.reset(std::move(call.data), ResultForm::websocket, call.time);
    } else if (call.kind == FrameKind::step) {
        StepOptions options = step_options(call.extra, call.time.timeout_s);
        outcome = co_await session.step(
            std::move(call.data), std::move(options), ResultForm::websocket, call.time
        );
    } else {
        outcome = co_await session.state(call.time);
    }
    member.watched->answered(outcome);
    if (member.released) {
        answer_released(call);
        co_await close(member, SessionEnd::released);
        forget(call.session);
        co_return;
    }
    answer(member, call, outcome);
}

/// Gets a session its place and its environment. False when there is none, which has been answered
/// then.
net::io_awaitable<bool> BatchSessions::open(Member& member, const Call& call) {
    member.watched.emplace(context_, shard_, Transport::batch, stream_, member);
    const auto deadline = session::deadline_of(call.time, context_.host.settings());
    std::optional<session::Capacity::Slot> slot = co_await member.watched->admit(deadline);
    if (!slot) {
        const std::string refusal = member.watched->refusal_frame();
        const bool late = member.watched->was_too_late();
        member.watched.reset();
        if (late) {
            Error error{Errc::timeout, "reset was queued for longer than its time limit"};
            error.phase = "queued";
            answer_error(call, error);
        } else if (!refusal.empty()) {
            frames_.add_error(call.session, call.id, refusal);
        } else if (member.released) {
            answer_released(call);
        }
        co_return false;
    }
    member.session.emplace(context_.host, shard_.io, std::move(slot));
    member.watched->creating(*member.session);
    const Result<void> opened = co_await member.session->open(call.time);
    if (opened && !member.released) {
        member.watched->opened();
        co_return true;
    }
    // Before anybody reads of it, the place is free again.
    member.watched->not_created();
    if (opened) {
        co_await member.session->end();
    }
    member.watched.reset();
    member.session.reset();
    if (member.released) {
        answer_released(call);
    } else {
        answer_error(call, opened.error());
    }
    co_return false;
}

void BatchSessions::answer(Member& member, const Call& call, const Result<CallOutcome>& outcome) {
    std::string& output = member.session->output();
    if (!outcome) {
        answer_error(call, outcome.error());
    } else if (*outcome == CallOutcome::ok) {
        frames_.begin_answer(call.session, call.id, answer_type(call.kind));
        frames_.out() += output;
        frames_.end_answer();
    } else {
        if (*outcome == CallOutcome::failed) {
            log_thrown(*member.watched, output);
        }
        frames_.add_error(call.session, call.id, refusal_answer(*outcome, output));
    }
    if (output.capacity() > kKeptOutputBytes) {
        output = std::string();
    }
}

void BatchSessions::answer_error(const Call& call, const Error& error) {
    const std::string frame = error_answer(error, context_.host.entry().class_name);
    const bool late = features_.deadline && error.code == Errc::timeout;
    frames_.add_error(call.session, call.id, frame, late ? error.phase : std::string());
}

void BatchSessions::answer_released(const Call& call) {
    const std::string frame =
        wire::error_frame({FrameErrorCode::session_error, std::string(LiveSession::kReleased)});
    frames_.add_error(call.session, call.id, frame);
}

net::io_awaitable<void> BatchSessions::close(Member& member, SessionEnd why) {
    member.watched->ends(why);
    co_await member.session->end();
    member.watched.reset();
    member.session.reset();
}

bool BatchSessions::Member::release() {
    const bool again = std::exchange(released, true);
    if (!session) {
        if (watched) {
            watched->leave_queue();
        }
        return true;
    }
    const bool place_is_free = session->give_place_back();
    if (again) {
        return place_is_free;
    }
    if (busy) {
        session->request_stop();
        session->give_up();
    } else {
        const auto self = std::find_if(
            all.members_.begin(),
            all.members_.end(),
            [this](const std::shared_ptr<Member>& other) { return other.get() == this; }
        );
        all.tasks_.spawn(
            all.shard_.io, close_alone(all.shared_from_this(), *self, SessionEnd::released)
        );
    }
    return place_is_free;
}

void BatchSessions::form_due() {
    frames_.form(under_way_ != 0);
}

void BatchSessions::leave_queue() {
    for (const std::shared_ptr<Member>& member : members_) {
        if (member && member->watched) {
            member->watched->leave_queue();
        }
    }
}

void BatchSessions::request_stop() {
    for (const std::shared_ptr<Member>& member : members_) {
        if (member && member->session) {
            member->session->request_stop();
        }
    }
}

void BatchSessions::give_up() {
    for (const std::shared_ptr<Member>& member : members_) {
        if (member && member->session) {
            member->session->give_up();
        }
    }
}

void BatchSessions::end(SessionEnd why) {
    // All at once: the closing of one may take its time, on a thread of its own.
    for (const std::shared_ptr<Member>& member : members_) {
        if (member && member->session) {
            tasks_.spawn(shard_.io, close_alone(shared_from_this(), member, why));
        }
    }
}

net::io_awaitable<void> BatchSessions::close_alone(
    std::shared_ptr<BatchSessions> self, std::shared_ptr<Member> member, SessionEnd why
) {
    const UnderWay counted(*self, *member);
    co_await self->close(*member, why);
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
