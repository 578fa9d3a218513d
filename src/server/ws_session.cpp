#include "server/ws_session.hpp"

#include "server/frame_answers.hpp"

#include <chrono>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

using std::chrono::steady_clock;

namespace {

/// Messages read ahead of the one that is being answered. Beyond it the reader rests, and with it
/// the answering of pings, until one is done.
constexpr std::size_t kInboxMessages = 32;
/// Of a message that was answered, no more memory is kept for the next one.
constexpr std::size_t kKeptMessageBytes = 1024;
/// Of the output, all but so little is given back once the session has rested for so long.
constexpr std::size_t kOutputAtRest = 64;
constexpr std::chrono::seconds kOutputRests{1};

/// What of a peer's own text is sent back in a message.
constexpr std::size_t kEchoedId = 200;
template <class Ending>
SessionEnd to_session_end(Ending ending) {
    switch (ending) {
        case Ending::peer_gone:
            return SessionEnd::peer_gone;
        case Ending::close_requested:
            return SessionEnd::close_requested;
        case Ending::idle:
            return SessionEnd::idle;
        case Ending::server_stops:
            return SessionEnd::server_stops;
        case Ending::released:
            return SessionEnd::released;
        case Ending::refused:
            break;
    }
    return SessionEnd::fault;
}

/// How the connection's traffic is counted.
Transport transport_of(const net::MessageStream& stream) {
    if (stream.peer().host == net::Peer().host) {
        return Transport::in_process;
    }
    const bool batch = wire::parse_features(stream.features()).batch;
    return batch ? Transport::batch : Transport::websocket;
}

std::string idle_text(std::chrono::milliseconds limit) {
    const auto seconds = std::chrono::duration_cast<std::chrono::duration<double>>(limit).count();
    std::string text = std::to_string(seconds);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return "idle " + text + " s";
}

}  // namespace

net::io_awaitable<void> WsSession::serve(
    Context& context,
    Shard& shard,
    net::TaskGroup& tasks,
    std::unique_ptr<net::MessageStream> socket,
    std::string attach_to
) {
    // Shared by the two coroutines; the later one to end destroys it.
    const auto self = std::make_shared<WsSession>(context, shard, tasks, std::move(socket));
    tasks.spawn(shard.io, read(self));
    return work(self, std::move(attach_to));
}

WsSession::WsSession(
    Context& context,
    Shard& shard,
    net::TaskGroup& tasks,
    std::unique_ptr<net::MessageStream> socket
)
    : LiveConnection(context, shard),
      context_(context),
      shard_(shard),
      tasks_(tasks),
      traffic_(shard.counters.traffic_of(transport_of(*socket))),
      socket_(std::move(socket)),
      features_(wire::parse_features(socket_->features())),
      for_worker_(shard.io),
      for_reader_(shard.io),
      for_handler_(shard.io),
      for_sender_(shard.io),
      last_answer_(steady_clock::now()) {
    shard.sweeper.add(*this);
    socket_->on_peer_close([this] { end(Ending::peer_gone); });
    if (context.draining) {
        end(Ending::server_stops);  // made after all others were told
    }
}

/// Tells the worker that no message will come any more, however the reader ends.
class WsSession::ReaderEnd {
public:
    explicit ReaderEnd(WsSession& session) : session_(session) {}
    ~ReaderEnd() {
        session_.reader_done_ = true;
        session_.end(Ending::peer_gone);
    }
    ReaderEnd(const ReaderEnd&) = delete;
    ReaderEnd& operator=(const ReaderEnd&) = delete;

private:
    WsSession& session_;
};

net::io_awaitable<void> WsSession::read(std::shared_ptr<WsSession> self) {
    const ReaderEnd at_the_end(*self);
    std::string message;
    for (;;) {
        const bool received = co_await self->socket_->read(message);
        if (!received) {
            break;
        }
        self->traffic_.received(message.size());
        if (self->ending_) {
            if (*self->ending_ == Ending::refused) {
                // Who speaks has had the time to read why nobody answers.
                self->socket_->close(net::CloseCode::normal, "");
            }
            continue;
        }
        Message next{std::move(message), steady_clock::now()};
        const bool at_once = !self->answering_ && self->inbox_.empty() &&
                             self->context_.host.policy() == Execution::inline_fast;
        if (at_once) {
            if (self->session_ && !self->batch_) {
                // Its answer is there at once, and so is the next read. Others may have to wait for
                // a place, or for environments, and would keep back what was answered before.
                self->socket_->gather_answer();
            }
            const std::optional<std::string_view> answer =
                self->answer_in_place(next, next.arrived);
            if (answer) {
                // As send() does, without a coroutine more in the path of every step.
                const Answering this_one(*self);
                self->traffic_.sent(answer->size());
                bool written = self->socket_->write_at_once(*answer);
                if (!written) {
                    written = co_await self->socket_->write(*answer);
                }
                if (!written) {
                    self->end(Ending::peer_gone);
                }
                self->give_large_output_back();
                if (next.text.capacity() <= kKeptMessageBytes) {
                    message = std::move(next.text);  // its memory serves the next one
                }
            } else {
                co_await self->handle(std::move(next));
            }
            continue;
        }
        self->inbox_bytes_ += next.text.size();
        self->inbox_.push_back(std::move(next));
        self->for_worker_.notify();
        while (self->inbox_full() && !self->ending_) {
            co_await self->for_reader_.wait();
        }
    }
}

net::io_awaitable<void> WsSession::work(std::shared_ptr<WsSession> self, std::string attach_to) {
    try {
        const bool opened = co_await self->open(std::move(attach_to));
        if (opened) {
            // In here, and not in a coroutine of its own: that would be memory of every idle
            // session.
            while (!self->ending_) {
                if (self->inbox_.empty() || self->answering_) {
                    co_await self->for_worker_.wait();
                } else {
                    Message message = self->take_message();
                    co_await self->handle(std::move(message));
                }
            }
            while (self->answering_ || self->has_answers_to_send()) {
                co_await self->for_worker_.wait();
            }
            co_await self->say_goodbye();
            co_await self->close_sessions(to_session_end(*self->ending_));
        }
        while (!self->reader_done_) {
            co_await self->for_worker_.wait();
        }
    } catch (...) {
        self->abort();  // the reader must not wait for what will not come
        throw;
    }
}

net::io_awaitable<bool> WsSession::open(std::string attach_to) {
    if (ending_) {
        co_await say_goodbye();  // gone, or told to stop, before it began
        co_return false;
    }
    if (!attach_to.empty()) {
        const wire::FrameError unknown{
            wire::FrameErrorCode::session_error,
            "Unknown session_id: " + attach_to.substr(0, kEchoedId)};
        co_await refuse(wire::error_frame(unknown));
        co_return false;
    }
    if (features_.batch) {
        batch_ = std::make_shared<BatchSessions>(
            context_,
            shard_,
            tasks_,
            *socket_,
            [weak = weak_from_this()] {
                if (const std::shared_ptr<WsSession> self = weak.lock()) {
                    self->batch_changed();
                }
            }
        );
    } else if (std::optional<std::string> refusal = co_await open_session({})) {
        if (ending_) {
            co_await say_goodbye();
        } else {
            co_await refuse(std::move(*refusal));
        }
        co_return false;
    }
    answering_ = false;
    last_answer_ = steady_clock::now();  // building is no idleness
    co_return true;
}

/// Opens the connection's own session. What it returns is the frame that says why it could not.
net::io_awaitable<std::optional<std::string>> WsSession::open_session(std::string id) {
    const bool same_process = socket_->peer().host == net::Peer().host;
    const Transport transport = same_process ? Transport::in_process : Transport::websocket;
    watched_.emplace(context_, shard_, transport, *socket_, *this);
    std::optional<session::Capacity::Slot> slot = co_await watched_->admit();
    if (!slot) {
        std::string frame = watched_->refusal_frame();
        watched_.reset();
        if (!frame.empty()) {
            frame.pop_back();
            wire::append_end(frame, id);
        }
        co_return frame;
    }
    session_.emplace(context_.host, shard_.io, std::move(slot));
    watched_->creating(*session_);
    Result<void> opened = co_await session_->open();
    if (!opened) {
        const Error& error = opened.error();
        std::string frame;
        if (error.code == Errc::factory_failed) {
            frame = error_answer(error, context_.host.entry().class_name, id);
        } else {
            wire::FrameError failed{wire::FrameErrorCode::session_error, error.message};
            failed.id = id;
            frame = wire::error_frame(failed);
        }
        watched_->not_created();
        session_.reset();
        watched_.reset();
        co_return frame;
    }
    watched_->opened();
    co_return std::nullopt;
}

WsSession::Message WsSession::take_message() {
    Message message = std::move(inbox_.front());
    inbox_.pop_front();
    inbox_bytes_ -= message.text.size();
    for_reader_.notify();
    return message;
}

net::io_awaitable<void> WsSession::say_goodbye() {
    switch (*ending_) {
        case Ending::idle: {
            const std::string reason = idle_text(*context_.config.session_timeout);
            const wire::FrameError error{
                wire::FrameErrorCode::session_error, "session closed: " + reason};
            co_await send(wire::error_frame(error));
            socket_->close(net::CloseCode::normal, reason);
            break;
        }
        case Ending::released: {
            const wire::FrameError error{
                wire::FrameErrorCode::session_error, std::string(LiveSession::kReleased)};
            co_await send(wire::error_frame(error));
            socket_->close(net::CloseCode::normal, LiveSession::kReleased);
            break;
        }
        case Ending::server_stops:
            socket_->close(net::CloseCode::going_away, "the server is stopping");
            break;
        case Ending::peer_gone:
        case Ending::close_requested:
        case Ending::refused:
            socket_->close(net::CloseCode::normal, "");
            break;
    }
}

net::io_awaitable<void> WsSession::send(std::string_view text) {
    while (writing_) {  // answers to batches leave when they are ready
        co_await for_sender_.wait();
    }
    if (ending_ == Ending::peer_gone) {
        co_return;
    }
    writing_ = true;
    traffic_.sent(text.size());
    bool written = socket_->write_at_once(text);
    if (!written) {
        written = co_await socket_->write(text);
    }
    writing_ = false;
    for_sender_.notify();
    if (!written) {
        end(Ending::peer_gone);
    }
}

/// A last frame for a peer without a session. The close comes later, so that a peer that is just
/// sending its first message still finds the frame when it reads.
net::io_awaitable<void> WsSession::refuse(std::string frame) {
    end(Ending::refused);
    socket_->close_later(context_.config.refusal_linger, net::CloseCode::normal, "");
    traffic_.sent(frame.size());
    co_await socket_->write(frame);
    if (!inbox_.empty()) {
        socket_->close(net::CloseCode::normal, "");
    }
}

void WsSession::end(Ending why) {
    if (!ending_) {
        ending_ = why;
    }
    if (why == Ending::peer_gone && session_) {
        session_->request_stop();
    }
    if (why == Ending::peer_gone && batch_) {
        batch_->request_stop();
    }
    if (watched_) {
        watched_->leave_queue();
    }
    if (batch_) {
        batch_->leave_queue();
    }
    changed();
}

void WsSession::drain() {
    end(Ending::server_stops);
}

void WsSession::hurry() {
    end(Ending::server_stops);
    if (session_) {
        session_->request_stop();
        session_->give_up();
    }
    if (batch_) {
        batch_->request_stop();
        batch_->give_up();
    }
}

void WsSession::abort() {
    hurry();
    end(Ending::peer_gone);
    socket_->abort();
}

bool WsSession::release() {
    end(Ending::released);
    released_ = released_.value_or(steady_clock::now());
    if (!session_) {
        return true;
    }
    const bool place_is_free = session_->give_place_back();
    session_->request_stop();
    session_->give_up();
    return place_is_free;
}

void WsSession::on_sweep(net::TimePoint now) {
    if (released_ && !reader_done_ && now - *released_ > context_.config.close_timeout) {
        socket_->abort();  // a peer that does not read keeps its session no longer
    }
    if (answered_) {
        answered_ = false;
        last_answer_ = now;
    }
    const bool resting = !answering_ && inbox_.empty() && !(batch_ && batch_->busy());
    if (resting && session_ && now - last_answer_ >= kOutputRests &&
        session_->output().capacity() > kOutputAtRest) {
        session_->output() = std::string();
    }
    const auto& limit = context_.config.session_timeout;
    if (!limit || ending_ || !resting) {
        return;
    }
    if (now - last_answer_ > *limit) {
        end(Ending::idle);
    }
}

bool WsSession::inbox_full() const noexcept {
    return inbox_.size() >= kInboxMessages ||
           (!inbox_.empty() && inbox_bytes_ >= context_.config.max_message_bytes);
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
