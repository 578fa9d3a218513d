#include "server/ws_session.hpp"

#include "server/routes/mcp.hpp"

#include <openenv/base/log.hpp>

#include <boost/asio/as_tuple.hpp>

#include <exception>
#include <utility>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace server {

using std::chrono::steady_clock;

namespace {

/// Messages read ahead of the one that is being answered. Beyond it the reader rests, and with it
/// the answering of pings, until one is done.
constexpr std::size_t kInboxMessages = 32;
/// Output that grew larger is given back after it was sent.
constexpr std::size_t kKeptOutputBytes = 64 * 1024;

/// What of a peer's own text is sent back in a message.
constexpr std::size_t kEchoedId = 200;
/// What of an exception's text is logged.
constexpr std::size_t kLoggedText = 1000;

wire::FrameError to_frame_error(const Error& error) {
    switch (error.code) {
        case Errc::factory_failed:
            return {wire::FrameErrorCode::factory_error, error.message};
        default:
            return {wire::FrameErrorCode::execution_error, error.message};
    }
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
    std::unique_ptr<net::WebSocket> socket,
    std::string attach_to
) {
    // Shared by the two coroutines; the later one to end destroys it.
    const auto self = std::make_shared<WsSession>(context, shard, std::move(socket));
    tasks.spawn(shard.io, read(self));
    try {
        co_await self->work(std::move(attach_to));
    } catch (...) {
        self->abort();  // the reader must not wait for what will not come
        throw;
    }
}

WsSession::WsSession(Context& context, Shard& shard, std::unique_ptr<net::WebSocket> socket)
    : LiveConnection(context, shard),
      context_(context),
      io_(shard.io),
      socket_(std::move(socket)),
      changed_(shard.io),
      last_answer_(steady_clock::now()) {
    changed_.expires_at(net::TimePoint::max());
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

/// One message being answered, until it is destroyed.
class WsSession::Answering {
public:
    explicit Answering(WsSession& session) : session_(session) { session_.answering_ = true; }
    ~Answering() {
        session_.answering_ = false;
        session_.last_answer_ = steady_clock::now();
        session_.changed();
    }
    Answering(const Answering&) = delete;
    Answering& operator=(const Answering&) = delete;

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
        if (self->ending_) {
            if (*self->ending_ == Ending::refused) {
                // Who speaks has had the time to read why nobody answers.
                self->socket_->close(net::CloseCode::normal, "");
            }
            continue;
        }
        const bool at_once =
            !self->answering_ && self->inbox_.empty() && self->session_->runs_inline();
        if (at_once) {
            co_await self->handle(std::move(message));
            continue;
        }
        self->inbox_bytes_ += message.size();
        self->inbox_.push_back(std::move(message));
        self->changed();
        while (self->inbox_full() && !self->ending_) {
            co_await self->wait_for_change();
        }
    }
}

net::io_awaitable<void> WsSession::work(std::string attach_to) {
    const bool opened = co_await open(std::move(attach_to));
    if (opened) {
        co_await answer_inbox();
        co_await say_goodbye();
        co_await session_->end();
        log(LogLevel::debug, "session closed");
    }
    while (!reader_done_) {
        co_await wait_for_change();
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
    std::optional<session::Capacity::Slot> slot = context_.capacity.reserve();
    if (!slot) {
        const std::size_t max = context_.capacity.max();
        log(LogLevel::warning,
            "session refused: all " + std::to_string(max) +
                " places are taken; MAX_CONCURRENT_ENVS or --max-concurrent-envs sets how many "
                "there are");
        co_await refuse(wire::capacity_frame(max, max));
        co_return false;
    }
    session_.emplace(context_.host, io_, std::move(slot));
    Result<void> opened = co_await session_->open();
    if (!opened) {
        const Error& error = opened.error();
        std::string frame;
        if (error.code == Errc::factory_failed) {
            frame = wire::factory_frame(error.message, context_.host.entry().class_name);
        } else {
            const wire::FrameError failed{wire::FrameErrorCode::session_error, error.message};
            frame = wire::error_frame(failed);
        }
        session_.reset();
        co_await refuse(std::move(frame));
        co_return false;
    }
    log(LogLevel::debug,
        "session opened; " + std::to_string(context_.capacity.active()) + " of " +
            std::to_string(context_.capacity.max()) + " places taken");
    answering_ = false;
    last_answer_ = steady_clock::now();  // building is no idleness
    co_return true;
}

net::io_awaitable<void> WsSession::answer_inbox() {
    for (;;) {
        while ((inbox_.empty() || answering_) && !ending_) {
            co_await wait_for_change();
        }
        if (ending_) {
            break;
        }
        std::string message = std::move(inbox_.front());
        inbox_.pop_front();
        inbox_bytes_ -= message.size();
        changed();
        co_await handle(std::move(message));
    }
    while (answering_) {
        co_await wait_for_change();
    }
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

net::io_awaitable<void> WsSession::handle(std::string message) {
    const Answering this_one(*this);
    std::variant<wire::Frame, wire::FrameError> parsed = wire::parse_frame(message);
    if (const auto* frame = std::get_if<wire::Frame>(&parsed)) {
        co_await answer(*frame);
    } else {
        co_await send(wire::error_frame(std::get<wire::FrameError>(parsed)));
    }
}

net::io_awaitable<void> WsSession::answer(const wire::Frame& frame) {
    std::string& out = session_->output();
    std::string data(frame.data);
    switch (frame.kind) {
        case wire::FrameKind::reset: {
            out = wire::kObservationPrefix;
            Result<CallOutcome> outcome =
                co_await session_->reset(std::move(data), ResultForm::websocket);
            co_await finish(wire::kObservationPrefix, std::move(outcome));
            break;
        }
        case wire::FrameKind::step: {
            out = wire::kObservationPrefix;
            StepOptions options;
            Result<CallOutcome> outcome =
                co_await session_->step(std::move(data), std::move(options), ResultForm::websocket);
            co_await finish(wire::kObservationPrefix, std::move(outcome));
            break;
        }
        case wire::FrameKind::state: {
            out = wire::kStatePrefix;
            Result<CallOutcome> outcome = co_await session_->state();
            co_await finish(wire::kStatePrefix, std::move(outcome));
            break;
        }
        case wire::FrameKind::mcp:
            out = wire::kMcpPrefix;
            routes::append_mcp_answer(out, data);
            co_await finish(wire::kMcpPrefix, CallOutcome::ok);
            break;
        case wire::FrameKind::close:
            end(Ending::close_requested);
            break;
    }
}

net::io_awaitable<void> WsSession::finish(std::string_view prefix, Result<CallOutcome> outcome) {
    if (!outcome) {
        co_await send(wire::error_frame(to_frame_error(outcome.error())));
        co_return;
    }
    std::string& out = session_->output();
    switch (*outcome) {
        case CallOutcome::ok:
            out += wire::kSuffix;
            co_await send(out);
            break;
        case CallOutcome::invalid: {
            const wire::FrameError error{
                wire::FrameErrorCode::validation_error,
                "Invalid message",
                out.substr(prefix.size())};
            co_await send(wire::error_frame(error));
            break;
        }
        case CallOutcome::failed: {
            log(LogLevel::debug,
                "the environment threw: " + out.substr(prefix.size(), kLoggedText));
            const wire::FrameError error{
                wire::FrameErrorCode::execution_error, out.substr(prefix.size())};
            co_await send(wire::error_frame(error));
            break;
        }
    }
    if (out.capacity() > kKeptOutputBytes) {
        out = std::string();
    }
}

net::io_awaitable<void> WsSession::send(std::string_view text) {
    if (ending_ == Ending::peer_gone) {
        co_return;
    }
    const bool written = co_await socket_->write(text);
    if (!written) {
        end(Ending::peer_gone);
    }
}

/// A last frame for a peer without a session. The close comes later, so that a peer that is just
/// sending its first message still finds the frame when it reads.
net::io_awaitable<void> WsSession::refuse(std::string frame) {
    end(Ending::refused);
    socket_->close_later(context_.config.refusal_linger, net::CloseCode::normal, "");
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
    changed();
}

void WsSession::drain() {
    end(Ending::server_stops);
}

void WsSession::abort() {
    end(Ending::peer_gone);
    if (session_) {
        session_->give_up();
    }
    socket_->abort();
}

void WsSession::on_sweep(net::TimePoint now) {
    const auto& limit = context_.config.session_timeout;
    if (!limit || !session_ || ending_ || answering_ || !inbox_.empty()) {
        return;
    }
    if (now - last_answer_ > *limit) {
        end(Ending::idle);
    }
}

net::io_awaitable<void> WsSession::wait_for_change() {
    constexpr auto token = boost::asio::as_tuple(net::io_token);
    co_await changed_.async_wait(token);
}

bool WsSession::inbox_full() const noexcept {
    return inbox_.size() >= kInboxMessages ||
           (!inbox_.empty() && inbox_bytes_ >= context_.config.max_message_bytes);
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
