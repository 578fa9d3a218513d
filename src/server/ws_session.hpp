#pragma once

#include "server/context.hpp"

#include <openenv/session/session.hpp>
#include <openenv/wire/frame.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace openenv {
inline namespace v0 {
namespace server {

/// One `/ws` connection and its session: every message gets one answer, in order.
///
/// Two coroutines share it. The reader keeps a read outstanding, so that pings are answered while
/// an environment computes, and fills a small inbox; the other one builds the session, works the
/// inbox off and writes every last word. An environment that runs inline skips the inbox.
class WsSession final : public LiveConnection, public net::Sweeper::Watched {
public:
    /// Serves `socket` to its end. `attach_to` is the session id the peer asked for, or empty.
    [[nodiscard]] static net::io_awaitable<void> serve(
        Context& context,
        Shard& shard,
        net::TaskGroup& tasks,
        std::unique_ptr<net::WebSocket> socket,
        std::string attach_to
    );

    WsSession(Context& context, Shard& shard, std::unique_ptr<net::WebSocket> socket);

    void drain() override;
    void abort() override;
    void on_sweep(net::TimePoint now) override;

private:
    class ReaderEnd;
    class Answering;
    /// Why no more messages are answered.
    enum class Ending { peer_gone, close_requested, refused, idle, server_stops };

    [[nodiscard]] static net::io_awaitable<void> read(std::shared_ptr<WsSession> self);
    [[nodiscard]] net::io_awaitable<void> work(std::string attach_to);
    [[nodiscard]] net::io_awaitable<bool> open(std::string attach_to);
    [[nodiscard]] net::io_awaitable<void> answer_inbox();
    [[nodiscard]] net::io_awaitable<void> say_goodbye();

    [[nodiscard]] net::io_awaitable<void> handle(std::string message);
    [[nodiscard]] net::io_awaitable<void> answer(const wire::Frame& frame);
    [[nodiscard]] net::io_awaitable<void> finish(
        std::string_view prefix, Result<CallOutcome> outcome
    );
    [[nodiscard]] net::io_awaitable<void> send(std::string_view text);
    [[nodiscard]] net::io_awaitable<void> refuse(std::string frame);

    void end(Ending why);
    void changed() { changed_.cancel(); }
    [[nodiscard]] net::io_awaitable<void> wait_for_change();
    [[nodiscard]] bool inbox_full() const noexcept;

    Context& context_;
    net::IoExecutor io_;
    std::unique_ptr<net::WebSocket> socket_;
    std::optional<session::Session> session_;
    std::deque<std::string> inbox_;
    std::size_t inbox_bytes_ = 0;
    net::IoTimer changed_;  // cancelled to wake whoever waits; never expires by itself
    std::optional<Ending> ending_;
    bool answering_ = true;  // from the start: the session has to be opened first
    bool reader_done_ = false;
    net::TimePoint last_answer_;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
