#pragma once

#include "client/channel.hpp"
#include "client/event.hpp"
#include "client/loop_state.hpp"
#include "client/provider_run.hpp"
#include "client/turns.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>
#include <openenv/client/answer.hpp>
#include <openenv/client/options.hpp>
#include <openenv/net/connect.hpp>
#include <openenv/net/url.hpp>
#include <openenv/wire/reply.hpp>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

class Fetch;

/// A client without types: connections, turns, time limits, children. Shared by the client object
/// and the calls under way.
/// Thread: the loop's, but for the constructor and what says so.
class Core : public std::enable_shared_from_this<Core> {
public:
    /// `url` may be empty when there is a provider; `trust` is read from the system's certificates
    /// when it is null and needed.  Thread: any; it is destroyed on the loop's.
    /// Errors: ConfigError.
    [[nodiscard]] static std::shared_ptr<Core> make(
        std::shared_ptr<LoopState> loop,
        const std::string& url,
        ClientOptions options,
        std::shared_ptr<net::TlsTrust> trust = nullptr
    );
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    // Each may be called at any time, also several at once; each fails with `cancelled` when its
    // call is cancelled, or the client destroyed.
    [[nodiscard]] net::io_awaitable<Result<void>> connect(std::shared_ptr<CallState> call);
    [[nodiscard]] net::io_awaitable<Result<Answer>> ask(
        Ask what, std::string message, std::shared_ptr<CallState> call
    );
    /// Children, connections that are closing, the connection, the provider, in this order and also
    /// when cancelled on the way.
    [[nodiscard]] net::io_awaitable<Result<void>> close(std::shared_ptr<CallState> call);
    /// The connection only.
    [[nodiscard]] net::io_awaitable<Result<void>> disconnect(std::shared_ptr<CallState> call);
    /// What the server's /schema says. Needs no turn, and no connection that others use.
    [[nodiscard]] net::io_awaitable<Result<Json>> schema(std::shared_ptr<CallState> call);
    /// A connected client of the same server.
    [[nodiscard]] net::io_awaitable<Result<std::shared_ptr<Core>>> new_session(
        std::shared_ptr<CallState> call
    );

    /// The connection, opened where there is none: `begins_anew` says whether one that is gone may
    /// be replaced.  For those who share it among sessions of their own.
    [[nodiscard]] net::io_awaitable<Result<std::shared_ptr<Channel>>> hold(
        bool begins_anew, std::shared_ptr<CallState> call, std::string_view what
    );
    /// Gives `channel` up, if it is still the connection.
    void give_up(const std::shared_ptr<Channel>& channel, const std::string& why);
    /// Starts the provider when there is no address otherwise.
    [[nodiscard]] net::io_awaitable<Result<void>> need_address(
        CallState& call, std::string_view what
    );
    /// A client of the same server, not connected yet, which close() closes. The address is known.
    [[nodiscard]] std::shared_ptr<Core> make_child();
    /// How often it was closed, for may_go_on().
    [[nodiscard]] std::size_t closes() const noexcept { return closes_; }
    /// Whether a call may go on: it is not cancelled and in time, and the client was neither
    /// destroyed nor closed since `closes`. Asked after every wait.
    [[nodiscard]] Result<void> may_go_on(
        const CallState& call, std::size_t closes, std::string_view what, const char* phase
    ) const;

    /// The client object is gone: ends everything at once, without a word to the server.
    void abandon();

    /// The address without slashes at its end; nothing before a provider has started.  Thread: any.
    [[nodiscard]] std::optional<std::string> base_url() const;
    [[nodiscard]] const ClientOptions& options() const noexcept { return options_; }

private:
    Core(
        std::shared_ptr<LoopState> loop,
        const std::string& url,
        ClientOptions options,
        std::shared_ptr<net::TlsTrust> trust
    );

    [[nodiscard]] net::io_awaitable<Result<void>> take_turn(
        Turns::Place& place, CallState& call, std::string_view what
    );
    [[nodiscard]] net::io_awaitable<Result<void>> ensure_open(
        bool begins_anew, CallState& call, std::string_view what
    );
    [[nodiscard]] net::io_awaitable<Result<void>> open(CallState& call, std::string_view what);
    [[nodiscard]] net::io_awaitable<Result<Answer>> exchange(
        Ask what, std::string message, CallState& call
    );
    /// `id` is that of the call that waits, where ids hold and one does.
    [[nodiscard]] Result<Answer> take_answer(Ask what, std::optional<std::uint64_t> id);
    [[nodiscard]] bool is_wanted(
        const wire::Reply& reply, std::optional<std::uint64_t> got, std::optional<std::uint64_t> id
    );
    /// The caller of a message that was sent waits no longer.
    void give_up(Ask what, std::optional<std::uint64_t> id);
    [[nodiscard]] std::optional<Error> take_unasked();
    /// Forgets the connection, whose session is gone for that reason.
    void lose(std::string why);
    /// Lets a connection close in the background.
    void retire(std::shared_ptr<Channel> channel);
    [[nodiscard]] net::io_awaitable<void> wait_for_retired(CallState* call);
    [[nodiscard]] net::io_awaitable<void> hang_up();
    [[nodiscard]] static net::io_awaitable<void> close_child(
        std::shared_ptr<Core> child, Countdown::Part part
    );
    /// Lets every call under way see that it may not go on.
    void end_calls();

    [[nodiscard]] net::io_awaitable<Result<void>> start_provider(
        CallState& call, std::size_t closes, std::string_view what
    );
    [[nodiscard]] net::io_awaitable<Result<void>> stop_provider(CallState& call, bool to_the_end);
    [[nodiscard]] net::io_awaitable<void> give_up_provider(CallState& call);

    [[nodiscard]] std::string shown_url() const;

    const std::shared_ptr<LoopState> loop_;
    ClientOptions options_;   // without the provider
    const bool own_address_;  // as opposed to the provider's
    const std::shared_ptr<const net::ConnectionLimits> limits_;
    net::DialOptions dial_options_;

    mutable std::mutex url_mutex_;  // read from any thread, changed by the loop
    std::optional<net::Url> url_;
    std::optional<std::string> url_text_;

    Turns turns_;
    std::shared_ptr<Channel> channel_;
    std::shared_ptr<Channel> dialling_;  // the connection that is being opened
    std::list<std::shared_ptr<Channel>> retired_;
    std::vector<std::weak_ptr<Core>> children_;
    const std::shared_ptr<Countdown> closing_children_;  // shared with what closes them
    std::list<std::shared_ptr<Core>> opening_;           // children that are connecting
    std::list<std::weak_ptr<Fetch>> fetches_;
    std::optional<std::string> lost_;        // why the session is gone, until it is begun anew
    std::shared_ptr<ProviderRun> provider_;  // null without one; shared with what it does
    bool reached_ = false;  // a connection was open since the provider's server runs
    bool abandoned_ = false;
    std::size_t closes_ = 0;  // how often it was closed: calls from before do not go on
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
