#pragma once

#include "net/metered_socket.hpp"
#include "net/text_frame.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/wait_traits.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_range.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

/// A read that begins once all that was kept back has left. Lifetime: the socket outlives it.
template <class Socket, class Buffers, class Handler>
struct PostponedRead {
    Socket& socket;
    Buffers buffers;
    Handler handler;

    void operator()(boost::system::error_code error, std::size_t) {
        socket.written_before(std::move(*this), error);
    }
};

/// A write of Beast's that begins once the message on its way has left. Lifetime: as above.
template <class Socket, class Buffers, class Handler>
struct PostponedWrite {
    Socket& socket;
    Buffers buffers;
    Handler handler;

    void operator()(boost::system::error_code) {
        socket.write_waits_ = false;
        socket.async_write_some(buffers, std::move(handler));
    }
};

/// The socket under a server's WebSocket. Text messages leave by it past Beast: with one system
/// call each, where Beast needs one for every 64 KiB, and without a turn of the event loop; or
/// several with one, where they answer what came in one piece. What Beast itself sends (the
/// handshake, pings, pongs, the close) keeps its place between them. One text message at a time.
class FrameSocket : public MeteredSocket {
public:
    explicit FrameSocket(MeteredSocket socket) : MeteredSocket(std::move(socket)) {}

    /// What has become of a text message.
    enum class Sent : std::uint8_t {
        nothing,  ///< something else is being sent: it is for Beast to write, in its turn
        part,     ///< send_rest() is to be called whenever the socket can be written to
        all,      ///< or kept back, or there is nobody to take it: see peer_gone()
    };

    /// Sends a text message as one frame, as much of it as takes no waiting.
    [[nodiscard]] Sent send_text(std::string_view text) {
        if (peer_gone() || is_writing() || write_waits_ || (held_ && held_->being_sent)) {
            return Sent::nothing;
        }
        const TextFrame frame(text);
        if (keep_back(frame.parts(), frame.size())) {
            return Sent::all;
        }
        const std::size_t gone = send_some(frame, 0);
        if (gone == frame.size()) {
            return Sent::all;
        }
        rest_ = std::make_unique<Rest>(*this, gone);
        return Sent::part;
    }

    /// Goes on with the message of which a part was sent. True: all of it has left, or nobody is
    /// there to take it.
    [[nodiscard]] bool send_rest(std::string_view text) {
        const TextFrame frame(text);
        rest_->begins_at += send_some(frame, rest_->begins_at);
        if (rest_->begins_at != frame.size()) {
            return false;
        }
        drop_rest();
        return true;
    }

    /// Gives up the message of which a part was sent.
    void drop_rest() noexcept { rest_.reset(); }

    /// Keeps small writes back until the next read: for who reads again as soon as he has written.
    void gather_writes() noexcept { gathering_ = true; }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        gathering_ = false;
        return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
            [this](auto handler, const Buffers& all) {
                if (held_ && !held_->being_sent) {
                    send_held();
                }
                if (!held_ || held_->being_sent) {
                    MeteredSocket::async_read_some(all, std::move(handler));
                } else {
                    write_held(PostponedRead<FrameSocket, Buffers, decltype(handler)>{
                        *this, all, std::move(handler)});
                }
            },
            token,
            buffers
        );
    }

    /// For Beast.
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
            [this](auto handler, const Buffers& all) {
                if (rest_) {
                    write_waits_ = true;
                    rest_->sent.async_wait(PostponedWrite<FrameSocket, Buffers, decltype(handler)>{
                        *this, all, std::move(handler)});
                    return;
                }
                const std::size_t size = boost::asio::buffer_size(all);
                if (!keep_back(all, size)) {
                    MeteredSocket::async_write_some(all, std::move(handler));
                    return;
                }
                boost::asio::post(
                    get_executor(),
                    boost::beast::bind_handler(
                        std::move(handler), boost::system::error_code(), size
                    )
                );
            },
            token,
            buffers
        );
    }

    /// Sends what was kept back, as much of it as can leave without waiting.
    void send_held() noexcept {
        if (!held_ || held_->being_sent) {
            return;
        }
        std::string& bytes = held_->bytes;
        const std::array<boost::asio::const_buffer, 1> all{boost::asio::buffer(bytes)};
        const std::size_t gone = bytes.empty() ? 0 : send_some(all, bytes.size(), 0);
        if (gone == bytes.size()) {
            held_.reset();
        } else {
            bytes.erase(0, gone);
        }
    }

private:
    template <class Socket, class Buffers, class Handler>
    friend struct PostponedRead;
    template <class Socket, class Buffers, class Handler>
    friend struct PostponedWrite;

    /// More is sent at once, without copying it first.
    static constexpr std::size_t kMostHeld = 64 * 1024;

    std::size_t send_some(const TextFrame& frame, std::size_t from) noexcept {
        return MeteredSocket::send_some(frame.parts(), frame.size(), from);
    }
    using MeteredSocket::send_some;

    /// False: it is for the caller to write.
    template <class Buffers>
    [[nodiscard]] bool keep_back(const Buffers& all, std::size_t size) {
        if (peer_gone()) {
            return false;
        }
        const std::size_t before = held_ ? held_->bytes.size() + held_->later.size() : 0;
        if (gathering_ && before + size > kMostHeld) {
            gathering_ = false;
            send_held();
        }
        if (!gathering_ && !held_) {
            return false;
        }
        // Kept also where nothing is gathered, but what came before has not left yet.
        if (!held_) {
            held_ = std::make_unique<Held>();
        }
        std::string& into = held_->being_sent ? held_->later : held_->bytes;
        for (const boost::asio::const_buffer part : boost::beast::buffers_range_ref(all)) {
            into.append(static_cast<const char*>(part.data()), part.size());
        }
        return true;
    }

    template <class Read>
    void write_held(Read read) {
        held_->being_sent = true;
        boost::asio::async_write(
            static_cast<StreamSocket&>(*this), boost::asio::buffer(held_->bytes), std::move(read)
        );
    }

    /// What was written meanwhile, such as a ping, follows; then `read` begins.
    template <class Read>
    void written_before(Read read, boost::system::error_code error) {
        if (error) {
            note_peer_gone();  // the read will tell how
        }
        held_->being_sent = false;
        held_->bytes = std::exchange(held_->later, std::string());
        if (error || held_->bytes.empty()) {
            held_.reset();
            MeteredSocket::async_read_some(read.buffers, std::move(read.handler));
        } else {
            write_held(std::move(read));
        }
    }

    /// A message of which a part has been sent.
    struct Rest {
        Rest(FrameSocket& socket, std::size_t gone)
            : begins_at(gone), sent(socket.get_executor(), Clock::time_point::max()) {}

        using Clock = std::chrono::steady_clock;
        std::size_t begins_at;
        /// Whoever wants to write waits for it, until it is destroyed.
        boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, IoExecutor> sent;
    };
    std::unique_ptr<Rest> rest_;
    bool write_waits_ = false;  // one of Beast's: the next text goes behind it

    /// Written, and not sent yet.
    struct Held {
        std::string bytes;
        std::string later;  // written while the bytes are being sent
        bool being_sent = false;
    };
    std::unique_ptr<Held> held_;  // null as a rule: an idle connection holds no memory for it
    bool gathering_ = false;
};

inline FrameSocket& bottom(FrameSocket& socket) {
    return socket;
}

inline void teardown(
    boost::beast::role_type role, FrameSocket& socket, boost::beast::error_code& error
) {
    socket.send_held();
    teardown(role, static_cast<MeteredSocket&>(socket), error);
}
template <class Handler>
void async_teardown(boost::beast::role_type role, FrameSocket& socket, Handler&& handler) {
    socket.send_held();
    async_teardown(role, static_cast<MeteredSocket&>(socket), std::forward<Handler>(handler));
}

}  // namespace net
}  // namespace v0
}  // namespace openenv

/// Executor, allocator and cancellation slot are those of the handler within.
template <
    template <class, class>
    class Associator,
    class Socket,
    class Buffers,
    class Handler,
    class Default>
struct boost::asio::
    associator<Associator, openenv::net::PostponedRead<Socket, Buffers, Handler>, Default>
    : Associator<Handler, Default> {
    static typename Associator<Handler, Default>::type get(
        const openenv::net::PostponedRead<Socket, Buffers, Handler>& outer,
        const Default& otherwise = Default()
    ) noexcept {
        return Associator<Handler, Default>::get(outer.handler, otherwise);
    }
};
template <
    template <class, class>
    class Associator,
    class Socket,
    class Buffers,
    class Handler,
    class Default>
struct boost::asio::
    associator<Associator, openenv::net::PostponedWrite<Socket, Buffers, Handler>, Default>
    : Associator<Handler, Default> {
    static typename Associator<Handler, Default>::type get(
        const openenv::net::PostponedWrite<Socket, Buffers, Handler>& outer,
        const Default& otherwise = Default()
    ) noexcept {
        return Associator<Handler, Default>::get(outer.handler, otherwise);
    }
};
