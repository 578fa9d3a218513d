#include "client/shared_line.hpp"

#include "client/asking.hpp"

#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

namespace {

/// What a server takes in one message, and well within its usual limit of bytes.
constexpr std::size_t kMostEntries = 16384;
constexpr std::size_t kMostBytes = 4 * 1024 * 1024;
/// Late answers that one session may owe.
constexpr std::uint64_t kMostOwed = 32;
/// When the server is to send answers: all at once, but the slowest makes the others wait no longer
/// than that, as their time may be up; or as soon as there are `min`.
std::string former_of(std::size_t min) {
    if (min == 0) {
        return R"({"within_s":0.02})";
    }
    return R"({"min":)" + std::to_string(min) + R"(,"within_s":0.005})";
}

Error error_of(const BatchEntry& entry, bool deadline) {
    Error error = wire::to_error(entry.data);
    if (deadline && !entry.timeout.empty()) {
        error.code = Errc::timeout;
        error.phase = entry.timeout;
    }
    return error;
}

}  // namespace

SharedLine::SharedLine(
    Owner& owner, std::shared_ptr<Core> core, std::shared_ptr<Channel> channel, std::size_t sessions
)
    : Lines(owner), core_(std::move(core)), channel_(std::move(channel)), asked_(sessions) {}

void SharedLine::send(const Questions& questions, const CallState& call, std::size_t min) {
    const wire::Features features = channel_->features();
    for (std::size_t i = 0; i != questions.size(); ++i) {
        asked_[questions.session(i)].what = questions.what;
    }
    if (over_ || channel_->stage() == Channel::Stage::ended) {
        lose(over_ ? "the connection was given up" : channel_->end_text());
        return;
    }
    const bool is_step = questions.what == Ask::step;
    if (is_step && !call.extra.empty() && !features.deadline) {
        for (const std::size_t session : questions.sessions()) {
            answer(session, Error{Errc::usage, kNoExtra});
        }
        if (const auto told = owner()) {
            told->on_pause();
        }
        return;
    }
    BatchMessage::Entry entry;
    if (features.deadline && call.limited) {
        entry.timeout_s = seconds_until(call.deadline);
    }
    entry.extra = is_step ? std::string_view(call.extra) : std::string_view();
    std::string former = min_ == min ? std::string() : former_of(min);
    min_ = min;
    for (std::size_t next = 0; next != questions.size();) {
        BatchMessage message(name_of(questions.what));
        while (next != questions.size() && message.entries() != kMostEntries &&
               message.bytes() < kMostBytes) {
            entry.session = questions.session(next);
            entry.data = questions.text(next);
            const Asked& asked = asked_[entry.session];
            entry.id = asked.given_up != 0 ? std::optional(asked.given_up) : std::nullopt;
            message.add(entry);
            ++next;
        }
        channel_->send(std::move(message).finish(std::exchange(former, {})));
    }
}

void SharedLine::give_up(std::size_t session) {
    Asked& asked = asked_[session];
    if (!asked.what) {
        return;
    }
    asked.what.reset();
    ++asked.given_up;
    ++asked.owed;
    if (!channel_->features().ids || asked.owed > kMostOwed) {
        lose("a call was given up before its answer came");
    }
}

void SharedLine::on_message(std::string message) {
    const auto frame = std::make_shared<const std::string>(std::move(message));
    const Result<BatchReply> reply = parse_batch_reply(*frame);
    if (!reply) {
        fail_all(reply.error());
        lose("the server sent what cannot be read");
        return;
    }
    if (reply->kind != wire::ReplyKind::batch) {
        take_other(*reply);
        return;
    }
    for (const BatchEntry& entry : reply->entries) {
        const Fit fit = fit_of(entry);
        if (fit == Fit::unasked) {
            lose(kUnasked);
            return;
        }
        if (fit == Fit::wanted) {
            take(entry, frame);
        }
    }
    if (Owner* told = owner()) {
        told->on_pause();
    }
}

SharedLine::Fit SharedLine::fit_of(const BatchEntry& entry) {
    if (entry.session >= asked_.size()) {
        return Fit::unasked;
    }
    Asked& asked = asked_[entry.session];
    const std::uint64_t id = entry.id.value_or(0);
    if (id == asked.given_up) {
        const bool fits = asked.what && !contradicts(*asked.what, entry.kind);
        return fits ? Fit::wanted : Fit::unasked;
    }
    if (id > asked.given_up || asked.owed == 0) {
        return Fit::unasked;
    }
    --asked.owed;
    return Fit::late;
}

void SharedLine::take(const BatchEntry& entry, const std::shared_ptr<const std::string>& frame) {
    if (entry.kind == wire::ReplyKind::error) {
        answer(entry.session, error_of(entry, channel_->features().deadline));
        return;
    }
    SessionAnswer good;
    good.frame = frame;
    good.data = entry.data;
    good.parts = entry.parts;
    answer(entry.session, std::move(good));
}

/// What is no batch: an error that concerns all, or nothing that anybody has asked for.
void SharedLine::take_other(const BatchReply& reply) {
    if (reply.kind != wire::ReplyKind::error) {
        lose(kUnasked);
        return;
    }
    const Error error = wire::to_error(reply.data);
    if (wire::ends_session(error.server_code)) {
        fail_all(error);
        lose(error.message);
    } else {
        fail_all(error);  // a message that was refused as a whole
    }
}

void SharedLine::answer(std::size_t session, Result<SessionAnswer> answer) {
    asked_[session].what.reset();
    if (Owner* told = owner()) {
        told->on_answer(session, std::move(answer));
    }
}

void SharedLine::fail_all(const Error& error) {
    for (std::size_t session = 0; session != asked_.size(); ++session) {
        if (asked_[session].what) {
            answer(session, error);
        }
    }
    if (Owner* told = owner()) {
        told->on_pause();
    }
}

void SharedLine::on_end() {
    lose(channel_->end_text());
}

void SharedLine::lose(const std::string& why) {
    over_ = true;
    core_->give_up(channel_, why);
    for (std::size_t session = 0; session != asked_.size(); ++session) {
        if (const std::optional<Ask> what = asked_[session].what) {
            answer(session, no_answer(*what, why));
        }
    }
    if (Owner* told = owner()) {
        told->on_pause();
    }
}

Error SharedLine::no_answer(Ask what, const std::string& why) const {
    Error error{
        Errc::session,
        std::string(name_of(what)) + " got no answer: " + why +
            "; whether it was carried out is unknown"};
    error.phase = phase_of(what);
    return error;
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
