#pragma once

#include <openenv/net/executors.hpp>
#include <openenv/net/http.hpp>
#include <openenv/net/message_stream.hpp>
#include <openenv/net/peer.hpp>
#include <openenv/net/sweeper.hpp>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace net {

/// TCP or a Unix domain socket: one type for both, so that all that is built on it exists once.
using StreamSocket =
    boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, IoExecutor>;

/// What one peer may take of us.
struct ConnectionLimits {
    std::size_t header_bytes = 16 * 1024;
    std::size_t body_bytes = 16 * 1024 * 1024;
    std::size_t message_bytes = 16 * 1024 * 1024;  ///< one WebSocket message, reassembled
    /// To a complete header, and between two parts of a body.
    std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
    /// From the header to the last byte of the body.
    std::chrono::milliseconds body_timeout = std::chrono::seconds(120);
    /// Between two requests of one HTTP connection.
    std::chrono::milliseconds keep_alive = std::chrono::seconds(60);
    /// A peer that neither reads nor writes a byte for this long while we send to it is dropped.
    std::chrono::milliseconds stall_timeout = std::chrono::seconds(40);
    /// A WebSocket peer that is silent this long is pinged (0: never) ...
    std::chrono::milliseconds ping_interval = std::chrono::seconds(20);
    /// ... and closed with 1011 when a ping stays unanswered this long (0: never).
    std::chrono::milliseconds ping_timeout = std::chrono::seconds(20);
    /// How long a close may take before the socket is dropped.
    std::chrono::milliseconds close_timeout = std::chrono::seconds(5);
};

/// One accepted connection that speaks HTTP, until it is turned into a WebSocket.
/// Thread: its io thread, one operation at a time.
class HttpConnection {
public:
    class Impl;
    HttpConnection(StreamSocket socket, const ConnectionLimits& limits, Sweeper& sweeper);
    ~HttpConnection();
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    struct Closed {};
    /// The peer broke the rules; answer with this status and close.
    struct Malformed {
        unsigned status;
    };
    using Read = std::variant<HttpRequest, Malformed, Closed>;

    /// The head of the next request. Its body, if there is one, is still to come: read_body() has
    /// to follow, or write_last().
    [[nodiscard]] io_awaitable<Read> read_head();
    /// `head` with its body.
    [[nodiscard]] io_awaitable<Read> read_body(HttpRequest head);

    /// Calls `handler` at most once, should the peer end the connection before the next read or
    /// write; looked at with every tick of the sweeper.
    void on_peer_gone(std::function<void()> handler);

    /// False: the connection cannot be used any more.
    [[nodiscard]] io_awaitable<bool> write(HttpResponse response);
    /// As write(), then ends the connection in a way that does not lose the response.
    [[nodiscard]] io_awaitable<void> write_last(HttpResponse response);

    /// Answers the upgrade that read_head() returned, and names `features` as those granted unless
    /// it is empty. Null: the handshake was refused or failed.
    [[nodiscard]] io_awaitable<std::unique_ptr<MessageStream>> accept_websocket(std::string features
    );

    /// Whether the peer and the last request allow another request on this connection.
    [[nodiscard]] bool keeps_alive() const noexcept;

    /// Who is at the other end, while it is connected.
    [[nodiscard]] Peer peer() const;

    void abort() noexcept;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
