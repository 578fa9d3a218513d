#pragma once

#include "client/event.hpp"
#include "client/loop_state.hpp"
#include "client/owed_answers.hpp"

#include <openenv/net/connect.hpp>
#include <openenv/wire/features.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace client {

/// One connection to a server, from the attempt to its end; asks for `wanted` extensions. A read is
/// outstanding all the time it is open, so pings are answered and the end is noticed also while
/// nobody calls. Thread: the loop's. Lifetime: shared with the coroutine that works on it.
class Channel : public std::enable_shared_from_this<Channel> {
public:
    enum class Stage { connecting, open, ended };

    /// Over `connector` unless it is null.
    Channel(
        std::shared_ptr<LoopState> loop,
        std::shared_ptr<net::Connector> connector,
        net::DialOptions options,
        std::shared_ptr<const net::ConnectionLimits> limits,
        wire::Features wanted
    );
    /// Who is told of messages and of the end as they come, instead of finding them here.
    class Listener {
    public:
        Listener() = default;
        virtual ~Listener() = default;
        Listener(const Listener&) = delete;
        Listener& operator=(const Listener&) = delete;
        virtual void on_message(std::string message) = 0;
        virtual void on_end() = 0;
    };

    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Begins to connect; `url` counts without a connector.
    void start(net::Url url);

    [[nodiscard]] Stage stage() const noexcept { return stage_; }
    /// Why it could not be opened, once it has ended without having been open.
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return failure_; }
    /// What it does as long as it is connecting, such as "resolving".
    [[nodiscard]] std::string_view step() const noexcept { return dial_.step(); }
    /// Why it ended, in words.
    [[nodiscard]] const std::string& end_text() const noexcept { return end_text_; }

    /// The extensions that hold on it, once it is open.
    [[nodiscard]] wire::Features features() const noexcept { return features_; }
    /// The answers to calls that were given up: they are dropped as they come.
    [[nodiscard]] OwedAnswers& owed() noexcept { return owed_; }

    /// Sends one message, soon.
    void send(std::string message);
    /// Whether a message has arrived that nobody has taken, and the first of them.
    [[nodiscard]] bool has_message() const noexcept { return !inbox_.empty(); }
    [[nodiscard]] std::string take();
    /// From now on, and of what nobody has taken: at once.
    void listen(const std::shared_ptr<Listener>& listener);
    /// Tells of arrivals and of every change of the stage.
    [[nodiscard]] Event& changed() noexcept { return changed_; }

    /// A proper end: the closing handshake, in the background.
    void close();
    /// An end at once.
    void abort();

    bool used = false;  ///< something was sent on it: it holds a session

private:
    [[nodiscard]] static net::io_awaitable<void> run(std::shared_ptr<Channel> self, net::Url url);
    using Opened = Result<std::unique_ptr<net::MessageStream>>;
    [[nodiscard]] net::io_awaitable<Opened> open(net::Url url);
    [[nodiscard]] net::io_awaitable<void> receive(net::Url url);
    [[nodiscard]] static net::io_awaitable<void> write(std::shared_ptr<Channel> self);
    void arrived(std::string message);
    void end(std::string why);

    std::shared_ptr<LoopState> loop_;
    std::optional<SweeperUse> sweeper_use_;            // until it has ended
    const std::shared_ptr<net::Connector> connector_;  // with the options it is from
    net::Dial dial_;
    bool aborted_ = false;
    const wire::Features wanted_;
    wire::Features features_;
    std::unique_ptr<net::MessageStream> socket_;
    Stage stage_ = Stage::connecting;
    std::optional<Error> failure_;
    std::string end_text_;
    std::deque<std::string> inbox_;
    std::size_t unread_bytes_ = 0;  // of the messages in the inbox
    std::weak_ptr<Listener> listener_;
    bool listened_to_ = false;
    OwedAnswers owed_;
    std::deque<std::string> outbox_;
    bool writing_ = false;
    Event changed_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
