#pragma once

#include "net/frame_socket.hpp"
#include "net/metered_socket.hpp"

#include <openenv/net/connection.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

/// A WebSocket over NextLayer: a MeteredSocket, a FrameSocket, or TLS over the former.
template <class NextLayer>
class WsStream final : public MessageStream::Impl,
                       public std::enable_shared_from_this<WsStream<NextLayer>> {
    using Clock = std::chrono::steady_clock;

public:
    /// `limits` is kept for as long as anything of the stream is under way.
    WsStream(NextLayer layer, std::shared_ptr<const ConnectionLimits> limits)
        : stream(std::move(layer)), limits_(std::move(limits)), last_heard_(Clock::now()) {
        stream.read_message_max(limits_->message_bytes);
        stream.auto_fragment(false);
        stream.text(true);
        stream.control_callback(
            [this](boost::beast::websocket::frame_type kind, boost::beast::string_view) {
                if (kind == boost::beast::websocket::frame_type::close && on_peer_close) {
                    closing_ = true;  // Beast answers the handshake by itself
                    on_peer_close();
                }
            }
        );
    }

    io_awaitable<bool> read(std::string& message) override {
        if (message.capacity() > kKeptBufferBytes) {
            message = std::string();
        }
        message.resize(kFirstReadBytes);
        std::size_t filled = 0;
        const std::uint64_t reads = bottom(stream).reads();
        reading_ = true;
        do {
            if (filled == message.size()) {
                const std::size_t announced = stream.read_size_hint(kSecondReadBytes);
                const std::size_t most = std::max(kSecondReadBytes, kGrowth * filled);
                message.resize(filled + std::clamp<std::size_t>(announced, 1, most));
            }
            const boost::asio::mutable_buffer rest(
                message.data() + filled, message.size() - filled
            );
            const auto [error, size] = co_await stream.async_read_some(
                rest, boost::asio::bind_cancellation_slot(read_.slot(), kAwait)
            );
            if (error) {
                reading_ = false;
                note_end(error);
                co_return false;
            }
            filled += size;
        } while (!stream.is_message_done());
        reading_ = false;
        came_with_others_ = bottom(stream).reads() == reads;
        message.resize(filled);
        co_return true;
    }

    bool write_at_once(std::string_view text) override {
        if constexpr (kSendsText) {
            if (stream.is_open() && !closing_) {
                const FrameSocket::Sent sent = stream.next_layer().send_text(text);
                partly_sent_ = sent == FrameSocket::Sent::part;
                return sent == FrameSocket::Sent::all && !stream.next_layer().peer_gone();
            }
        }
        return false;
    }

    io_awaitable<bool> write(std::string_view text) override {
        if constexpr (kSendsText) {
            if (!partly_sent_ && write_at_once(text)) {
                co_return true;
            }
            if (partly_sent_) {
                co_return co_await write_rest(text);
            }
        }
        const boost::asio::const_buffer buffer(text.data(), text.size());
        writing_ = true;
        const auto [error, size] = co_await stream.async_write(buffer, kAwait);
        writing_ = false;
        co_return !error && !bottom(stream).peer_gone();
    }

    void gather_answer() override {
        if constexpr (requires { bottom(stream).gather_writes(); }) {
            if (came_with_others_) {
                bottom(stream).gather_writes();
            }
        }
    }

    void close(CloseCode code, std::string_view reason) override {
        if (closing_ || !stream.is_open()) {
            return;
        }
        closing_ = true;
        drop_at_ = Clock::now() + limits_->close_timeout;
        // With a callback a read that finds the peer's close frame in its buffer posts itself
        // first. In Beast 1.81 our close then waits for the read, and the read for our close, for
        // ever.
        stream.control_callback({});
        const boost::beast::websocket::close_reason why(
            static_cast<boost::beast::websocket::close_code>(code),
            boost::beast::string_view(reason.data(), reason.size())
        );
        stream.async_close(
            why,
            boost::asio::bind_cancellation_slot(
                close_.slot(), [self = this->shared_from_this()](boost::beast::error_code) {}
            )
        );
    }

    void close_later(std::chrono::milliseconds delay, CloseCode code, std::string_view reason)
        override {
        planned_close_ = std::make_unique<PlannedClose>(PlannedClose{
            Clock::now() + delay, code, std::string(reason)});
    }

    void abort() noexcept override {
        boost::beast::error_code ignored;
        bottom(stream).close(ignored);
        if (!reading_) {
            return;
        }
        // In Beast 1.81 a close that waits for the read, and a read that waits for the close since
        // it has found a broken frame, wait for each other and not for the socket.
        boost::asio::post(stream.get_executor(), [weak = this->weak_from_this()] {
            if (const auto self = weak.lock()) {
                self->close_.emit(boost::asio::cancellation_type::terminal);
                self->read_.emit(boost::asio::cancellation_type::terminal);
            }
        });
    }

    void on_sweep(TimePoint now) override {
        if (writing_) {
            bottom(stream).look_at_queue();
        }
        const std::uint64_t operations = bottom(stream).operations();
        // While nothing is read or written the silence is our own.
        const bool resting = !reading_ && !writing_;
        // Where this thread stood still, answers may be waiting to be read.
        const bool stalled = now - last_sweep_ >= kStall;
        last_sweep_ = now;
        if (operations != seen_operations_ || resting || stalled) {
            seen_operations_ = operations;
            last_heard_ = now;
            unanswered_since_.reset();
        }
        if (!stream.is_open() && !drop_at_) {
            // Still in its handshake, or Beast is ending it by itself after a broken frame.
            drop_at_ = now + limits_->close_timeout;
        } else if (stream.is_open() && closing_ && !drop_at_) {
            drop_at_ = now + limits_->close_timeout;  // the peer began the handshake
        } else if (stream.is_open() && !closing_) {
            drop_at_.reset();
        }
        if (drop_at_) {
            if (now >= *drop_at_) {
                abort();
            }
            return;
        }
        if (planned_close_ && now >= planned_close_->at) {
            close(planned_close_->code, planned_close_->reason);
            return;
        }
        keep_alive(now);
    }

    boost::beast::websocket::stream<NextLayer, false> stream;

private:
    struct PlannedClose {
        TimePoint at;
        CloseCode code;
        std::string reason;
    };

    static constexpr auto kAwait = boost::asio::as_tuple(io_token);
    /// A client masks what it sends, and TLS encrypts it: that is Beast's part.
    static constexpr bool kSendsText = std::is_same_v<NextLayer, FrameSocket>;
    /// A buffer that held a larger message is given back, so that idle sessions stay small.
    static constexpr std::size_t kKeptBufferBytes = 64 * 1024;
    /// A message grows from here as its bytes arrive: what a frame announces commits no memory.
    /// An idle session holds the first part all the time, which is enough for a small step.
    static constexpr std::size_t kFirstReadBytes = 192;
    static constexpr std::size_t kSecondReadBytes = 4096;
    static constexpr std::size_t kGrowth = 7;  // times what has arrived; what has is copied then
    /// For a close frame on its way to a peer that is not expected to answer it.
    static constexpr std::chrono::seconds kLastWord{1};
    /// Sweeps are not that far apart unless the thread had no time for them.
    static constexpr std::chrono::seconds kStall{1};

    /// After write_at_once() has sent a part.
    io_awaitable<bool> write_rest(std::string_view text) {
        FrameSocket& socket = stream.next_layer();
        writing_ = true;
        bool written = false;
        while (!written) {
            const auto [error] = co_await socket.async_wait(StreamSocket::wait_write, kAwait);
            if (error) {
                socket.drop_rest();
                break;
            }
            written = socket.send_rest(text);
        }
        writing_ = false;
        partly_sent_ = false;
        co_return written && !socket.peer_gone();
    }

    void note_end(boost::beast::error_code error) {
        namespace websocket = boost::beast::websocket;
        const auto& reason = stream.reason();
        const bool too_large = error == websocket::error::message_too_big ||
                               error == websocket::error::buffer_overflow;
        // The peer's close frame counts also when the handshake after it went wrong.
        if (error == websocket::error::closed || reason.code != websocket::close_code::none) {
            end.code = reason.code;
            end.text = std::string(reason.reason.data(), reason.reason.size());
        } else if (too_large) {
            end.text = "a message is larger than the limit of " +
                       std::to_string(limits_->message_bytes) + " bytes";
        } else {
            end.text = why_ended_.empty() ? error.message() : std::string(why_ended_);
        }
    }

    void keep_alive(TimePoint now) {
        if (limits_->ping_interval.count() == 0) {
            return;
        }
        const bool may_end = limits_->ping_timeout.count() != 0;
        // Only a ping that went unanswered tells of the peer: silence may be that of this thread,
        // which had no time to read.
        if (may_end && unanswered_since_ && now - *unanswered_since_ >= limits_->ping_timeout) {
            why_ended_ = "no answer to a ping within the ping timeout";
            close(CloseCode::internal_error, "keepalive ping timeout");
            drop_at_ = std::min(*drop_at_, now + kLastWord);  // nobody is there to answer
            return;
        }
        const bool silent = now - last_heard_ >= limits_->ping_interval;
        if (silent && !pinging_ && now - last_ping_ >= limits_->ping_interval) {
            last_ping_ = now;
            unanswered_since_ = unanswered_since_.value_or(now);
            pinging_ = true;
            stream.async_ping(
                {},
                [this, self = this->shared_from_this()](boost::beast::error_code) {
                    pinging_ = false;
                    // Our own ping is no sign of life.
                    seen_operations_ = bottom(stream).operations();
                }
            );
        }
    }

    std::shared_ptr<const ConnectionLimits> limits_;
    boost::asio::cancellation_signal read_;   // ends the read under way
    boost::asio::cancellation_signal close_;  // ends the close under way
    TimePoint last_heard_;
    TimePoint last_sweep_ = Clock::now();
    TimePoint last_ping_{};
    std::optional<TimePoint> unanswered_since_;  // the first ping since the last sign of life
    std::uint64_t seen_operations_ = 0;
    bool partly_sent_ = false;       // the latest message: write() goes on with it
    bool came_with_others_ = false;  // the latest message, in one piece with the one before
    bool reading_ = false;
    bool writing_ = false;
    bool pinging_ = false;
    bool closing_ = false;
    std::string_view why_ended_;  // a literal, when we are who ends it
    std::optional<TimePoint> drop_at_;
    std::unique_ptr<PlannedClose> planned_close_;  // null unless there is one
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
