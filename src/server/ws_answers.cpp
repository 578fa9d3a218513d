#include "server/frame_answers.hpp"
#include "server/routes/mcp.hpp"
#include "server/step_options.hpp"
#include "server/ws_session.hpp"

#include <chrono>
#include <utility>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// Output that grew larger is given back after it was sent.
constexpr std::size_t kKeptOutputBytes = 4 * 1024 * 1024;

/// A message up to here is read in less time than looking at the clock again would be worth.
constexpr std::size_t kQuicklyRead = 4096;

std::string_view prefix_of(wire::FrameKind kind) {
    switch (kind) {
        case wire::FrameKind::state:
            return wire::kStatePrefix;
        case wire::FrameKind::mcp:
            return wire::kMcpPrefix;
        default:
            return wire::kObservationPrefix;
    }
}

}  // namespace

net::io_awaitable<void> WsSession::handle(Message message) {
    const Answering this_one(*this);
    if (const std::optional<std::string_view> answer =
            answer_in_place(message, std::chrono::steady_clock::now())) {
        co_await send(*answer);
        give_large_output_back();
        co_return;
    }
    std::variant<wire::Frame, wire::FrameError> parsed = wire::parse_frame(message.text, features_);
    if (const auto* error = std::get_if<wire::FrameError>(&parsed)) {
        co_await send(wire::error_frame(*error));
        co_return;
    }
    const wire::Frame& frame = std::get<wire::Frame>(parsed);
    if (frame.extras.batch) {
        batch_->begin(frame, message.arrived);
        co_await send_batch_frames();
    } else if (frame.kind == wire::FrameKind::close) {
        end(Ending::close_requested);
    } else {
        co_await answer(frame, message.arrived);
    }
}

/// Takes a step, or resets, where that needs no waiting: the answer is in the session's output.
/// Nothing: it is for handle().
std::optional<std::string_view> WsSession::answer_in_place(
    const Message& message, net::TimePoint now
) {
    if (batch_ || !session_ || !session_->is_in_place()) {
        return std::nullopt;
    }
    const auto parsed = wire::parse_frame(message.text, features_);
    const auto* frame = std::get_if<wire::Frame>(&parsed);
    const bool is_step = frame != nullptr && frame->kind == wire::FrameKind::step;
    const bool is_reset = frame != nullptr && frame->kind == wire::FrameKind::reset;
    if (!is_step && !is_reset) {
        return std::nullopt;
    }
    if (message.text.size() > kQuicklyRead) {
        now = std::chrono::steady_clock::now();  // what reading took is not the environment's
    }
    constexpr ResultForm kForm = ResultForm::websocket;
    const wire::CallExtras& extras = frame->extras.call;
    std::string& out = session_->output();
    out = wire::kObservationPrefix;
    watched_->called(call_kind(frame->kind), frame->data, now);
    const auto [outcome, ended] = is_step ? session_->step_in_place(
                                                frame->data,
                                                step_options(extras.extra, extras.timeout_s),
                                                kForm,
                                                {message.arrived, extras.timeout_s},
                                                now,
                                                out
                                            )
                                          : session_->reset_in_place(frame->data, kForm, now, out);
    watched_->answered(outcome, ended);
    if (outcome == CallOutcome::ok) {
        wire::append_end(out, extras.id);
        return out;
    }
    const std::string_view left = std::string_view(out).substr(wire::kObservationPrefix.size());
    if (outcome == CallOutcome::failed) {
        log_thrown(*watched_, left);
    }
    out = refusal_answer(outcome, std::string(left), extras.id);
    return out;
}

net::io_awaitable<void> WsSession::answer(const wire::Frame& frame, net::TimePoint arrived) {
    const std::string_view id = frame.extras.call.id;
    if (!session_) {
        if (std::optional<std::string> refusal = co_await open_session(std::string(id))) {
            if (!refusal->empty()) {  // else the connection is about to end
                co_await send(*refusal);
            }
            co_return;
        }
    }
    const std::string_view prefix = prefix_of(frame.kind);
    watched_->called(call_kind(frame.kind), frame.data);
    session_->output() = prefix;
    const session::CallTime time{arrived, frame.extras.call.timeout_s};
    Result<CallOutcome> outcome = co_await call(frame, time);
    co_await finish(prefix, std::move(outcome), id);
}

/// Has the environment append the answer's data to the session's output.
net::io_awaitable<Result<CallOutcome>> WsSession::call(
    const wire::Frame& frame, const session::CallTime& time
) {
    session::Session& session = *session_;
    constexpr ResultForm kForm = ResultForm::websocket;
    switch (frame.kind) {
        case wire::FrameKind::reset:
            co_return co_await session.reset(std::string(frame.data), kForm, time);
        case wire::FrameKind::step: {
            StepOptions options =
                step_options(frame.extras.call.extra, frame.extras.call.timeout_s);
            std::string action(frame.data);
            co_return co_await session.step(std::move(action), std::move(options), kForm, time);
        }
        case wire::FrameKind::state:
            co_return co_await session.state(time);
        default:
            routes::append_mcp_answer(session.output(), std::string(frame.data));
            co_return CallOutcome::ok;
    }
}

net::io_awaitable<void> WsSession::finish(
    std::string_view prefix, Result<CallOutcome> outcome, std::string_view id
) {
    watched_->answered(outcome);
    if (ending_ == Ending::released) {
        co_return;  // another frame is the last
    }
    std::string& out = session_->output();
    if (!outcome) {
        const std::string& class_name = context_.host.entry().class_name;
        co_await send(error_answer(outcome.error(), class_name, id, features_));
    } else if (*outcome == CallOutcome::ok) {
        wire::append_end(out, id);
        co_await send(out);
    } else {
        if (*outcome == CallOutcome::failed) {
            log_thrown(*watched_, std::string_view(out).substr(prefix.size()));
        }
        co_await send(refusal_answer(*outcome, out.substr(prefix.size()), id));
    }
    give_large_output_back();
}

void WsSession::give_large_output_back() {
    if (session_->output().capacity() > kKeptOutputBytes) {
        session_->output() = std::string();
    }
}

/// Returns once nothing is left to be sent. One coroutine sends; a second one waits for it.
net::io_awaitable<void> WsSession::send_batch_frames() {
    while (sending_batches_) {
        co_await for_handler_.wait();
    }
    sending_batches_ = true;
    BatchFrames& frames = batch_->frames();
    while (!frames.empty()) {
        std::string frame = frames.take();
        co_await send(frame);
        frames.give_back(std::move(frame));
    }
    sending_batches_ = false;
    for_handler_.notify();
    for_worker_.notify();
}

bool WsSession::has_answers_to_send() const {
    return batch_ && (batch_->busy() || sending_batches_ || !batch_->frames().empty());
}

/// Answers have become ready while no message was being handled.
void WsSession::batch_changed() {
    if (!batch_->frames().empty() && !sending_batches_) {
        tasks_.spawn(shard_.io, send_ready(shared_from_this()));
    }
    changed();
}

net::io_awaitable<void> WsSession::send_ready(std::shared_ptr<WsSession> self) {
    if (!self->sending_batches_) {  // who sends does so until nothing is left
        co_await self->send_batch_frames();
    }
}

net::io_awaitable<void> WsSession::close_sessions(SessionEnd why) {
    if (watched_) {
        watched_->ends(why);
    }
    if (session_) {
        co_await session_->end();
    }
    watched_.reset();
    if (batch_) {
        batch_->end(why);
    }
    while (batch_ && batch_->busy()) {
        co_await for_worker_.wait();
    }
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
