#pragma once

#include <openenv/base/error.hpp>
#include <openenv/net/executors.hpp>
#include <openenv/net/peer.hpp>
#include <openenv/net/sweeper.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace net {

/// Close codes of RFC 6455 section 7.4.1 that we choose ourselves.
enum class CloseCode : std::uint16_t { normal = 1000, going_away = 1001, internal_error = 1011 };

/// Why a stream can be read no longer.
struct StreamEnd {
    std::uint16_t code = 0;  ///< of the peer's close frame; 0 when there was none
    std::string text = {};   ///< its reason, or what went wrong
};

/// Text messages to and from one peer: a WebSocket of either side, or a pair of ends in one
/// process. Pings of a WebSocket's peer are answered while a read is outstanding, so keep one.
/// Thread: its io thread. At most one read and one write at a time, from different coroutines.
class MessageStream {
public:
    class Impl;
    explicit MessageStream(std::shared_ptr<Impl> impl);
    ~MessageStream();
    MessageStream(const MessageStream&) = delete;
    MessageStream& operator=(const MessageStream&) = delete;

    /// Replaces `message` by the next one. False: the stream has ended, for whatever reason.
    /// Of a WebSocket, a message over the limit, text that is not UTF-8 and broken framing close it
    /// (1009, 1007, 1002).
    [[nodiscard]] io_awaitable<bool> read(std::string& message);

    /// Sends one text message; `text` must live until then. False: the stream has ended.
    [[nodiscard]] io_awaitable<bool> write(std::string_view text);

    /// Sends one text message if that takes no waiting, and without a coroutine. False: it has not
    /// been sent, or a part of it only; write() of the same text must follow.
    [[nodiscard]] bool write_at_once(std::string_view text);

    /// Lets the answer to the message just read leave together with those next to it, where that
    /// message came in one piece with the one before. For who reads again at once after that
    /// answer: until then it may be kept back.
    void gather_answer();

    /// Starts the closing handshake; the outstanding read ends once the peer has answered, or
    /// after the limit for that. Harmless when already closing.
    void close(CloseCode code, std::string_view reason);

    /// close() after `delay`, unless it is called before. For a last frame that must not be lost.
    void close_later(std::chrono::milliseconds delay, CloseCode code, std::string_view reason);

    /// Calls `handler` once the peer's closing handshake has arrived, which may be long before the
    /// outstanding read ends: that waits until the peer has closed its socket as well.
    void on_peer_close(std::function<void()> handler);

    /// Why a read has returned false.
    [[nodiscard]] const StreamEnd& end() const noexcept;

    /// The extensions that hold on it, as the server granted them: "ids, batch". Empty: none.
    [[nodiscard]] const std::string& features() const noexcept;

    /// Who is at the other end; of use to a server.
    [[nodiscard]] const Peer& peer() const noexcept;

    /// Drops the connection at once.
    void abort() noexcept;

private:
    std::shared_ptr<Impl> impl_;  // also held by what is under way, such as a ping or a close
};

/// What a stream is, whatever it runs over. The functions are those of MessageStream.
class MessageStream::Impl : public Sweeper::Watched {
public:
    virtual ~Impl() = default;

    [[nodiscard]] virtual io_awaitable<bool> read(std::string& message) = 0;
    [[nodiscard]] virtual io_awaitable<bool> write(std::string_view text) = 0;
    [[nodiscard]] virtual bool write_at_once(std::string_view) { return false; }
    virtual void gather_answer() {}
    virtual void close(CloseCode code, std::string_view reason) = 0;
    virtual void close_later(
        std::chrono::milliseconds delay, CloseCode code, std::string_view reason
    ) = 0;
    virtual void abort() noexcept = 0;

    std::function<void()> on_peer_close;
    StreamEnd end;
    std::string features;
    Peer peer;
};

/// Opens streams to one server that needs no address, such as one in the same process.
/// Thread: any. Lifetime: shared by those who use it.
class Connector {
public:
    Connector() = default;
    virtual ~Connector() = default;
    Connector(const Connector&) = delete;
    Connector& operator=(const Connector&) = delete;

    /// A stream for use on `io`. `wanted` names the extensions asked for: "ids, batch", or nothing.
    /// Errors: network, where the server takes no more.
    [[nodiscard]] virtual io_awaitable<Result<std::unique_ptr<MessageStream>>> connect(
        IoExecutor io, std::string wanted
    ) = 0;

    /// What GET /schema says.  Errors: network, where the server is gone.
    [[nodiscard]] virtual Result<std::string> schema() = 0;
};

}  // namespace net
}  // namespace v0
}  // namespace openenv
