#include "net/ws_conn.hpp"

#include <openenv/version.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <optional>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using std::chrono::steady_clock;

namespace {
constexpr auto kAwait = asio::as_tuple(io_token);
/// A buffer that held a larger message is given back, so that idle sessions stay small.
constexpr std::size_t kKeptBufferBytes = 64 * 1024;
/// A message grows from here as its bytes arrive: what a frame announces commits no memory.
constexpr std::size_t kFirstReadBytes = 1536;
}  // namespace

class WebSocket::Impl final : public Sweeper::Watched, public std::enable_shared_from_this<Impl> {
public:
    Impl(MeteredSocket socket, const ConnectionLimits& limits, Sweeper& sweeper)
        : stream(std::move(socket)), limits_(limits), last_heard_(steady_clock::now()) {
        stream.read_message_max(limits.message_bytes);
        stream.auto_fragment(false);
        stream.text(true);
        stream.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
            response.set(beast::http::field::server, std::string("openenv-cpp/") + kVersion);
        }));
        stream.control_callback([this](websocket::frame_type kind, beast::string_view) {
            if (kind == websocket::frame_type::close && on_peer_close) {
                closing_ = true;  // Beast answers the handshake by itself
                on_peer_close();
            }
        });
        sweeper.add(*this);
    }

    void close(CloseCode code, std::string_view reason) {
        if (closing_ || !stream.is_open()) {
            return;
        }
        closing_ = true;
        drop_at_ = steady_clock::now() + limits_.close_timeout;
        // With a callback a read that finds the peer's close frame in its buffer posts itself
        // first. In Beast 1.81 our close then waits for the read, and the read for our close, for
        // ever.
        stream.control_callback({});
        const websocket::close_reason why(
            static_cast<websocket::close_code>(code),
            beast::string_view(reason.data(), reason.size())
        );
        stream.async_close(why, [self = shared_from_this()](beast::error_code) {});
    }

    void close_later(std::chrono::milliseconds delay, CloseCode code, std::string_view reason) {
        planned_close_ = PlannedClose{steady_clock::now() + delay, code, std::string(reason)};
    }

    void abort() noexcept {
        beast::error_code ignored;
        stream.next_layer().close(ignored);
    }

    void on_sweep(TimePoint now) override {
        const std::uint64_t operations = stream.next_layer().operations();
        // While nothing is read or written the silence is our own.
        const bool resting = !reading && !writing;
        if (operations != seen_operations_ || resting) {
            seen_operations_ = operations;
            last_heard_ = now;
        }
        if (!stream.is_open() && !drop_at_) {
            // Still in its handshake, or Beast is ending it by itself after a broken frame.
            drop_at_ = now + limits_.close_timeout;
        } else if (stream.is_open() && closing_ && !drop_at_) {
            drop_at_ = now + limits_.close_timeout;  // the peer began the handshake
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

    websocket::stream<MeteredSocket, false> stream;
    std::function<void()> on_peer_close;
    bool reading = false;
    bool writing = false;

private:
    struct PlannedClose {
        TimePoint at;
        CloseCode code;
        std::string reason;
    };

    void keep_alive(TimePoint now) {
        const auto silence = now - last_heard_;
        if (silence >= limits_.ping_interval + limits_.ping_timeout) {
            close(CloseCode::internal_error, "keepalive ping timeout");
        } else if (silence >= limits_.ping_interval && !pinging_ && now - last_ping_ >= limits_.ping_interval) {
            last_ping_ = now;
            pinging_ = true;
            stream.async_ping({}, [self = shared_from_this()](beast::error_code) {
                self->pinging_ = false;
                // Our own ping is no sign of life.
                self->seen_operations_ = self->stream.next_layer().operations();
            });
        }
    }

    const ConnectionLimits& limits_;
    TimePoint last_heard_;
    TimePoint last_ping_{};
    std::uint64_t seen_operations_ = 0;
    bool pinging_ = false;
    bool closing_ = false;
    std::optional<TimePoint> drop_at_;
    std::optional<PlannedClose> planned_close_;
};

WebSocket::WebSocket(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

WebSocket::~WebSocket() {
    impl_->abort();
}

io_awaitable<bool> WebSocket::read(std::string& message) {
    if (message.capacity() > kKeptBufferBytes) {
        message = std::string();
    }
    message.resize(kFirstReadBytes);
    std::size_t filled = 0;
    impl_->reading = true;
    do {
        if (filled == message.size()) {
            message.resize(2 * filled);
        }
        const asio::mutable_buffer rest(message.data() + filled, message.size() - filled);
        const auto [error, size] = co_await impl_->stream.async_read_some(rest, kAwait);
        if (error) {
            impl_->reading = false;
            co_return false;
        }
        filled += size;
    } while (!impl_->stream.is_message_done());
    impl_->reading = false;
    message.resize(filled);
    co_return true;
}

io_awaitable<bool> WebSocket::write(std::string_view text) {
    const asio::const_buffer buffer(text.data(), text.size());
    impl_->writing = true;
    const auto [error, size] = co_await impl_->stream.async_write(buffer, kAwait);
    impl_->writing = false;
    co_return !error;
}

void WebSocket::close(CloseCode code, std::string_view reason) {
    impl_->close(code, reason);
}

void WebSocket::close_later(
    std::chrono::milliseconds delay, CloseCode code, std::string_view reason
) {
    impl_->close_later(delay, code, reason);
}

void WebSocket::on_peer_close(std::function<void()> handler) {
    impl_->on_peer_close = std::move(handler);
}

void WebSocket::abort() noexcept {
    impl_->abort();
}

io_awaitable<std::unique_ptr<WebSocket>> accept_websocket(
    MeteredSocket socket, UpgradeRequest request, const ConnectionLimits& limits, Sweeper& sweeper
) {
    auto impl = std::make_shared<WebSocket::Impl>(std::move(socket), limits, sweeper);
    const auto [error] = co_await impl->stream.async_accept(request, kAwait);
    if (error) {
        impl->abort();
        co_return nullptr;
    }
    co_return std::make_unique<WebSocket>(std::move(impl));
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
