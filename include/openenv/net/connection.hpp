#pragma once

#include <openenv/net/executors.hpp>
#include <openenv/net/http.hpp>
#include <openenv/net/sweeper.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace openenv {
inline namespace v0 {
namespace net {

using TcpSocket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, IoExecutor>;

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

/// Close codes of RFC 6455 section 7.4.1 that we choose ourselves.
enum class CloseCode : std::uint16_t { normal = 1000, going_away = 1001, internal_error = 1011 };

/// Why a WebSocket can be read no longer.
struct WebSocketEnd {
    std::uint16_t code = 0;  ///< of the peer's close frame; 0 when there was none
    std::string text = {};   ///< its reason, or what went wrong
};

/// An open WebSocket, of either side. Pings of the peer are answered while a read is outstanding,
/// so keep one. Thread: its io thread. At most one read and one write at a time, from different
/// coroutines.
class WebSocket {
public:
    class Impl;
    explicit WebSocket(std::shared_ptr<Impl> impl);
    ~WebSocket();
    WebSocket(const WebSocket&) = delete;
    WebSocket& operator=(const WebSocket&) = delete;

    /// Replaces `message` by the next one. False: the connection has ended, for whatever reason.
    /// A message over the limit, text that is not UTF-8 and broken framing close it (1009, 1007,
    /// 1002).
    [[nodiscard]] io_awaitable<bool> read(std::string& message);

    /// Sends one text message; `text` must live until then. False: the connection has ended.
    [[nodiscard]] io_awaitable<bool> write(std::string_view text);

    /// Starts the closing handshake; the outstanding read ends once the peer has answered, or
    /// after `close_timeout`. Harmless when already closing.
    void close(CloseCode code, std::string_view reason);

    /// close() after `delay`, unless it is called before. For a last frame that must not be lost.
    void close_later(std::chrono::milliseconds delay, CloseCode code, std::string_view reason);

    /// Calls `handler` once the peer's closing handshake has arrived, which may be long before the
    /// outstanding read ends: that waits until the peer has closed its socket as well.
    void on_peer_close(std::function<void()> handler);

    /// Why a read has returned false.
    [[nodiscard]] const WebSocketEnd& end() const noexcept;

    /// Drops the TCP connection at once.
    void abort() noexcept;

private:
    std::shared_ptr<Impl> impl_;  // also held by the handler of a ping or close under way
};

/// One accepted TCP connection that speaks HTTP, until it is turned into a WebSocket.
/// Thread: its io thread, one operation at a time.
class HttpConnection {
public:
    class Impl;
    HttpConnection(TcpSocket socket, const ConnectionLimits& limits, Sweeper& sweeper);
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

    /// Answers the upgrade that read_head() returned. Null: the handshake was refused or failed.
    [[nodiscard]] io_awaitable<std::unique_ptr<WebSocket>> accept_websocket();

    /// Whether the peer and the last request allow another request on this connection.
    [[nodiscard]] bool keeps_alive() const noexcept;

    void abort() noexcept;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
