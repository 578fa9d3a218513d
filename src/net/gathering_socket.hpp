#pragma once

#include "net/metered_socket.hpp"

#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_range.hpp>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace net {

/// A read that begins once all that was kept back has left.
template <class Socket, class Buffers, class Handler>
struct ReadAfterWriting {
    Socket& socket;
    Buffers buffers;
    Handler handler;

    void operator()(boost::system::error_code error, std::size_t) {
        socket.written_before(std::move(*this), error);
    }
};

/// A socket of a server whose answers to what came in one piece can leave in one piece as well.
class GatheringSocket : public MeteredSocket {
public:
    explicit GatheringSocket(MeteredSocket socket) : MeteredSocket(std::move(socket)) {}

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
                    write_held(ReadAfterWriting<GatheringSocket, Buffers, decltype(handler)>{
                        *this, all, std::move(handler)});
                }
            },
            token,
            buffers
        );
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
            [this](auto handler, const Buffers& all) {
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
        std::size_t gone = 0;
        while (gone != bytes.size()) {
            const ssize_t sent = ::send(
                native_handle(),
                bytes.data() + gone,
                bytes.size() - gone,
                MSG_DONTWAIT | MSG_NOSIGNAL
            );
            if (sent >= 0) {
                gone += static_cast<std::size_t>(sent);
            } else if (errno == EAGAIN) {
                bytes.erase(0, gone);
                return;
            } else if (errno != EINTR) {
                note_peer_gone();
                gone = bytes.size();
            }
        }
        held_.reset();
    }

private:
    template <class Socket, class Buffers, class Handler>
    friend struct ReadAfterWriting;

    /// More is sent at once, without copying it first.
    static constexpr std::size_t kMostHeld = 64 * 1024;

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

    /// Written, and not sent yet.
    struct Held {
        std::string bytes;
        std::string later;  // written while the bytes are being sent
        bool being_sent = false;
    };
    std::unique_ptr<Held> held_;  // null as a rule: an idle connection holds no memory for it
    bool gathering_ = false;
};

inline GatheringSocket& bottom(GatheringSocket& socket) {
    return socket;
}

inline void teardown(
    boost::beast::role_type role, GatheringSocket& socket, boost::beast::error_code& error
) {
    socket.send_held();
    teardown(role, static_cast<MeteredSocket&>(socket), error);
}
template <class Handler>
void async_teardown(boost::beast::role_type role, GatheringSocket& socket, Handler&& handler) {
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
    associator<Associator, openenv::net::ReadAfterWriting<Socket, Buffers, Handler>, Default>
    : Associator<Handler, Default> {
    static typename Associator<Handler, Default>::type get(
        const openenv::net::ReadAfterWriting<Socket, Buffers, Handler>& outer,
        const Default& otherwise = Default()
    ) noexcept {
        return Associator<Handler, Default>::get(outer.handler, otherwise);
    }
};
