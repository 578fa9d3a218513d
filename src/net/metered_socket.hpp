#pragma once

#include <openenv/net/connection.hpp>

#include <boost/asio/associator.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <linux/sockios.h>
#include <memory>
#include <span>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

/// How it stands with the sending.
struct WriteState {
    bool peer_gone = false;  // a write has found it so
    bool writing = false;    // a write is under way
};

/// A write's handler: for it a peer that has gone has taken everything.
template <class Handler>
struct TakenOrGone {
    Handler handler;
    std::size_t size;
    std::shared_ptr<WriteState> state;  // shared with the socket, which may go first

    void operator()(boost::system::error_code error, std::size_t written) {
        const bool gone = error == boost::asio::error::connection_reset ||
                          error == boost::asio::error::broken_pipe;
        state->peer_gone = state->peer_gone || gone;
        state->writing = false;
        std::move(handler)(gone ? boost::system::error_code() : error, gone ? size : written);
    }
};

/// A socket that counts how often it was asked to read or write. A read or write of many parts asks
/// again only after a part has arrived or left, so a changed count means that the peer is alive.
/// A write to a peer that has gone does not fail, peer_gone() tells of it: a failed write would end
/// the reading in Beast, and it is the read that tells how the connection ended, with the peer's
/// last words first.
class MeteredSocket : public StreamSocket {
public:
    explicit MeteredSocket(StreamSocket socket) : StreamSocket(std::move(socket)) {}

    [[nodiscard]] std::uint64_t operations() const noexcept { return operations_; }
    /// For whoever looks now and then while a write is under way: counts as an operation that the
    /// peer has taken something since it was looked last. The system asks for more only once a good
    /// part of its own buffer has left, which takes a slow peer minutes.
    void look_at_queue() noexcept {
        int queued = 0;
        if (::ioctl(native_handle(), SIOCOUTQ, &queued) == 0) {
            operations_ += queued < queued_ ? 1U : 0U;
            queued_ = queued;
        }
    }
    /// How often it was asked to read.
    [[nodiscard]] std::uint64_t reads() const noexcept { return reads_; }
    /// A write has found that nobody is there any more.
    [[nodiscard]] bool peer_gone() const noexcept { return state_->peer_gone; }
    /// A write has begun and not ended.
    [[nodiscard]] bool is_writing() const noexcept { return state_->writing; }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        ++operations_;
        ++reads_;
        return StreamSocket::async_read_some(buffers, std::forward<Token>(token));
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        ++operations_;
        return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
            [this](auto handler, const Buffers& all) {
                const std::size_t size = boost::asio::buffer_size(all);
                if (state_->peer_gone) {
                    // Asio would wait for a readiness that was told already.
                    boost::asio::post(
                        get_executor(),
                        boost::beast::bind_handler(
                            std::move(handler), boost::system::error_code(), size
                        )
                    );
                    return;
                }
                state_->writing = true;
                StreamSocket::async_write_some(
                    all, TakenOrGone<decltype(handler)>{std::move(handler), size, state_}
                );
            },
            token,
            buffers
        );
    }

    /// As a write does that finds nobody there.
    void note_peer_gone() noexcept { state_->peer_gone = true; }

protected:
    /// Sends of `parts`, which are `size` bytes, what follows the first `from`, as far as it takes
    /// no waiting. Returns how many bytes have left; all that were left to send when nobody is
    /// there to take them.
    std::size_t send_some(
        std::span<const boost::asio::const_buffer> parts, std::size_t size, std::size_t from
    ) noexcept {
        std::array<iovec, 2> rest{};
        msghdr message{};
        message.msg_iov = rest.data();
        std::size_t skipped = from;
        for (const boost::asio::const_buffer part : parts) {
            const boost::asio::const_buffer left = part + skipped;
            skipped -= part.size() - left.size();
            if (left.size() != 0) {
                rest[message.msg_iovlen++] = {const_cast<void*>(left.data()), left.size()};
            }
        }
        ++operations_;
        for (;;) {
            const ssize_t sent = ::sendmsg(native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent >= 0) {
                return static_cast<std::size_t>(sent);
            }
            if (errno == EAGAIN) {
                return 0;
            }
            if (errno != EINTR) {
                note_peer_gone();
                return size - from;
            }
        }
    }

private:
    std::uint64_t operations_ = 0;
    int queued_ = 0;  // bytes that the peer had not taken when it was last looked
    std::uint64_t reads_ = 0;
    std::shared_ptr<WriteState> state_ = std::make_shared<WriteState>();
};

/// The socket below the layers of a stream.
inline MeteredSocket& bottom(MeteredSocket& socket) {
    return socket;
}
template <class Layer>
auto& bottom(Layer& layer) {
    return bottom(layer.next_layer());
}

/// Beast ends a WebSocket by these two; found by argument-dependent lookup.
inline void teardown(
    boost::beast::role_type role, MeteredSocket& socket, boost::beast::error_code& error
) {
    boost::beast::websocket::teardown(role, static_cast<StreamSocket&>(socket), error);
}
template <class Handler>
void async_teardown(boost::beast::role_type role, MeteredSocket& socket, Handler&& handler) {
    boost::beast::websocket::async_teardown(
        role, static_cast<StreamSocket&>(socket), std::forward<Handler>(handler)
    );
}

}  // namespace net
}  // namespace v0
}  // namespace openenv

/// Executor, allocator and cancellation slot are those of the handler within.
template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, openenv::net::TakenOrGone<Handler>, Default>
    : Associator<Handler, Default> {
    static typename Associator<Handler, Default>::type get(
        const openenv::net::TakenOrGone<Handler>& outer, const Default& otherwise = Default()
    ) noexcept {
        return Associator<Handler, Default>::get(outer.handler, otherwise);
    }
};
