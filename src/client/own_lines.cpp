#include "client/own_lines.hpp"

#include <openenv/client/env_client.hpp>

#include <exception>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace client {

namespace {

std::string frame_of(Ask what, std::string_view text) {
    switch (what) {
        case Ask::reset:
            return reset_frame(text);
        case Ask::step:
            return step_frame(text);
        case Ask::state:
            break;
    }
    return state_frame();
}

SessionAnswer session_answer(Ask what, Answer answer) {
    SessionAnswer good;
    const std::size_t at = answer.data_at;
    const std::size_t size = answer.data_size;
    good.frame = std::make_shared<const std::string>(std::move(answer.message));
    good.data = std::string_view(*good.frame).substr(at, size);
    if (what != Ask::state) {
        good.parts = split_result(good.data);
    }
    return good;
}

}  // namespace

OwnLines::OwnLines(
    Owner& owner,
    std::shared_ptr<LoopState> loop,
    const std::shared_ptr<Core>& core,
    std::size_t sessions
)
    : Lines(owner), loop_(std::move(loop)) {
    lines_.reserve(sessions);
    lines_.push_back(Line{core});
    while (lines_.size() != sessions) {
        lines_.push_back(Line{core->make_child()});
    }
}

void OwnLines::send(const Questions& questions, const CallState& call, std::size_t) {
    for (std::size_t i = 0; i != questions.size(); ++i) {
        const std::size_t session = questions.session(i);
        auto asking = std::make_shared<CallState>();  // shared with what may cancel it
        asking->deadline = call.deadline;
        asking->limited = call.limited;
        asking->extra = questions.what == Ask::step ? call.extra : std::string();
        lines_[session].asking = asking;
        std::string message = frame_of(questions.what, questions.text(i));
        loop_->spawn(
            ask(shared_from_this(), session, questions.what, std::move(message), std::move(asking))
        );
    }
}

net::io_awaitable<void> OwnLines::ask(
    std::shared_ptr<OwnLines> self,
    std::size_t session,
    Ask what,
    std::string message,
    std::shared_ptr<CallState> call
) {
    const std::shared_ptr<Core> core = self->lines_[session].core;
    Result<SessionAnswer> outcome = Error{Errc::session, "the call has failed"};
    try {
        Result<Answer> answer = co_await core->ask(what, std::move(message), call);
        if (answer) {
            outcome = session_answer(what, std::move(*answer));
        } else {
            outcome = std::move(answer).error();
        }
    } catch (const std::exception& error) {
        outcome = Error{Errc::session, error.what()};
    }
    if (self->lines_[session].asking == call) {
        self->answer(session, std::move(outcome));
    }
}

void OwnLines::answer(std::size_t session, Result<SessionAnswer> answer) {
    lines_[session].asking = nullptr;
    if (Owner* told = owner()) {
        told->on_answer(session, std::move(answer));
    }
    if (Owner* told = owner()) {
        told->on_pause();
    }
}

void OwnLines::give_up(std::size_t session) {
    const std::shared_ptr<CallState> asking = std::exchange(lines_[session].asking, nullptr);
    if (asking) {
        asking->cancelled = true;
        if (asking->wake) {
            asking->wake();
        }
    }
}

void OwnLines::abort() noexcept {
    for (const Line& line : lines_) {
        line.core->abandon();
    }
}

net::io_awaitable<Result<void>> OwnLines::connect(
    std::shared_ptr<OwnLines> self, std::shared_ptr<CallState> call
) {
    const auto left = std::make_shared<Countdown>(self->loop_->io());
    const auto outcome = std::make_shared<Result<void>>();
    for (const Line& line : self->lines_) {
        // One state each: a state knows one wait.
        auto own = std::make_shared<CallState>();
        own->deadline = call->deadline;
        self->loop_->spawn(connect_one(line.core, std::move(own), outcome, Countdown::Part(left)));
    }
    while (left->left() != 0 && !call->cancelled) {
        co_await left->changed().wait(net::TimePoint::max(), call.get());
    }
    co_return *outcome;
}

net::io_awaitable<void> OwnLines::connect_one(
    std::shared_ptr<Core> core,
    std::shared_ptr<CallState> call,
    std::shared_ptr<Result<void>> failure,
    Countdown::Part
) {
    Result<void> connected = co_await core->connect(call);
    if (!connected && *failure) {
        *failure = std::move(connected).error();
    }
}

}  // namespace client
}  // namespace v0
}  // namespace openenv
