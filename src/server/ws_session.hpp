#pragma once

#include "server/batch_sessions.hpp"
#include "server/context.hpp"

#include <openenv/net/event.hpp>
#include <openenv/session/session.hpp>
#include <openenv/wire/frame.hpp>

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// One `/ws` connection and its session: every message gets one answer, in order. Where `batch` was
/// granted it has many more sessions, and its own comes to be with the first message for it.
///
/// Two coroutines share it. The reader keeps a read outstanding, so that pings are answered while
/// an environment computes, and fills a small inbox; the other one builds the session, works the
/// inbox off and writes every last word. An environment that runs inline skips the inbox.
class WsSession final : public LiveConnection,
                        public net::Sweeper::Watched,
                        public LiveSession::Owner,
                        public std::enable_shared_from_this<WsSession> {
public:
    /// The extensions that are granted to whoever asks for them.
    static constexpr wire::Features kOffered{.ids = true, .deadline = true, .batch = true};

    /// Serves `socket` to its end. `attach_to` is the session id the peer asked for, or empty.
    /// Thread: the shard's.
    [[nodiscard]] static net::io_awaitable<void> serve(
        Context& context,
        Shard& shard,
        net::TaskGroup& tasks,
        std::unique_ptr<net::MessageStream> socket,
        std::string attach_to
    );

    WsSession(
        Context& context,
        Shard& shard,
        net::TaskGroup& tasks,
        std::unique_ptr<net::MessageStream> socket
    );

    void drain() override;
    void hurry() override;
    void abort() override;
    void on_sweep(net::TimePoint now) override;
    bool release() override;

private:
    class ReaderEnd;
    /// One message being answered, until it is destroyed.
    class Answering {
    public:
        explicit Answering(WsSession& session) : session_(session) { session_.answering_ = true; }
        ~Answering() {
            session_.answering_ = false;
            session_.answered_ = true;
            if (!session_.inbox_.empty() || session_.ending_) {
                session_.for_worker_.notify();
            }
        }
        Answering(const Answering&) = delete;
        Answering& operator=(const Answering&) = delete;

    private:
        WsSession& session_;
    };
    struct Message {
        std::string text;
        net::TimePoint arrived;
    };
    /// Why no more messages are answered.
    enum class Ending { peer_gone, close_requested, refused, idle, server_stops, released };

    [[nodiscard]] static net::io_awaitable<void> read(std::shared_ptr<WsSession> self);
    [[nodiscard]] static net::io_awaitable<void> work(
        std::shared_ptr<WsSession> self, std::string attach_to
    );
    [[nodiscard]] net::io_awaitable<bool> open(std::string attach_to);
    [[nodiscard]] net::io_awaitable<std::optional<std::string>> open_session(std::string id);
    /// The first of the inbox, which must not be empty.
    [[nodiscard]] Message take_message();
    [[nodiscard]] net::io_awaitable<void> say_goodbye();
    [[nodiscard]] net::io_awaitable<void> close_sessions(SessionEnd why);

    [[nodiscard]] net::io_awaitable<void> handle(Message message);
    [[nodiscard]] std::optional<std::string_view> answer_in_place(
        const Message& message, net::TimePoint now
    );
    [[nodiscard]] net::io_awaitable<void> answer(const wire::Frame& frame, net::TimePoint arrived);
    [[nodiscard]] net::io_awaitable<Result<CallOutcome>> call(
        const wire::Frame& frame, const session::CallTime& time
    );
    [[nodiscard]] net::io_awaitable<void> finish(
        std::string_view prefix, Result<CallOutcome> outcome, std::string_view id
    );
    [[nodiscard]] net::io_awaitable<void> send(std::string_view text);
    void give_large_output_back();
    [[nodiscard]] net::io_awaitable<void> send_batch_frames();
    [[nodiscard]] static net::io_awaitable<void> send_ready(std::shared_ptr<WsSession> self);
    [[nodiscard]] net::io_awaitable<void> refuse(std::string frame);

    void batch_changed();
    /// Whether answers to batches are still to come, or on their way out.
    [[nodiscard]] bool has_answers_to_send() const;
    void end(Ending why);
    /// What the two coroutines wait for may have come.
    void changed() {
        for_worker_.notify();
        for_reader_.notify();
    }
    [[nodiscard]] bool inbox_full() const noexcept;

    Context& context_;
    Shard& shard_;
    net::TaskGroup& tasks_;
    Traffic& traffic_;
    std::unique_ptr<net::MessageStream> socket_;
    const wire::Features features_;  // granted to the peer
    std::optional<session::Session> session_;
    std::optional<LiveSession> watched_;    // after what it looks at
    std::shared_ptr<BatchSessions> batch_;  // also held by their calls; null unless granted
    std::list<Message> inbox_;              // empty as a rule, and then without any memory
    std::size_t inbox_bytes_ = 0;
    net::Event for_worker_;   // a message, or the end
    net::Event for_reader_;   // room in the inbox, or the end
    net::Event for_handler_;  // answers to batches have been sent
    net::Event for_sender_;   // nobody writes any more
    std::optional<Ending> ending_;
    bool answering_ = true;  // from the start: the session has to be opened first
    bool reader_done_ = false;
    bool writing_ = false;
    bool sending_batches_ = false;
    bool answered_ = false;  // since the last sweep
    net::TimePoint last_answer_;
    std::optional<net::TimePoint> released_;  // since when
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
