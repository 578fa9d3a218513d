#pragma once

#include <openenv/base/json.hpp>
#include <openenv/client/pending.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {

class VectorOptions;

namespace client {

/// A session that new_session() has opened, on its way into a client object.
class OpenedSession {
public:
    OpenedSession() = default;
    explicit OpenedSession(std::shared_ptr<Self> opened) : self(std::move(opened)) {}
    std::shared_ptr<Self> self;  // shared with the calls of the client that takes it
};

}  // namespace client

/// What every client has, whatever its types. See EnvClient.
class ClientBase {
public:
    ClientBase(const ClientBase&) = delete;
    ClientBase& operator=(const ClientBase&) = delete;

    /// Connects, or does nothing when a connection is open. Optional: every call connects on
    /// demand. That it succeeds does not say that the server has a place: the first reset, step or
    /// state does. Errors: ConnectFailed, Timeout, Exception (configuration: the proxy's variable;
    /// usage: a provider that could not be stopped before), and what the provider throws.
    [[nodiscard]] Pending<void> connect(CallOptions options = {});

    /// Closes children, the connection, and the provider's server. Harmless when not connected, or
    /// closed already. Afterwards any call connects anew.
    /// Errors: what stopping the provider throws; when cancelled, `cancelled` once all is done.
    [[nodiscard]] Pending<void> close();

    /// Closes the connection only.
    [[nodiscard]] Pending<void> disconnect();

    /// What the environment takes and gives, as JSON Schemas: an object with `action`,
    /// `observation` and `state`. Asked for over HTTP, beside what else is under way: no session
    /// is opened, and no turn waited for. Only where a provider has yet to start the server does
    /// it wait for its turn, and for that.
    /// Errors: ConnectFailed, also for any other status than 200; Exception (invalid_json) when
    /// the answer is none; Timeout, and what the provider throws.
    [[nodiscard]] Pending<Json> schema(CallOptions options = {});

    /// simulation or production; on the wire both are the same.
    [[nodiscard]] ClientMode mode() const noexcept { return mode_; }
    /// The address without slashes at its end; nothing while a provider's server does not run.
    [[nodiscard]] std::optional<std::string> base_url() const;

protected:
    /// Errors: ConfigError for an address, a mode or another setting that cannot be, or when there
    /// is neither address nor provider; ConnectFailed when the system has no thread or descriptor
    /// left for the loop; Exception (usage) for a loop of before a fork.
    ClientBase(std::string base_url, ClientOptions options);
    /// Of a VectorEnv.  Errors: likewise.
    ClientBase(std::string base_url, const VectorOptions& many);
    explicit ClientBase(client::OpenedSession opened);
    /// Fails the calls under way and drops the connection; close() before it is politer. Their
    /// handlers run on the loop's thread, and may run after this has returned.
    ~ClientBase();

    /// `message` is what the call asks with, if it asks.
    [[nodiscard]] std::shared_ptr<client::PendingCall> make_call(
        CallOptions options = {}, std::string message = {}
    ) const;

    template <class T>
    [[nodiscard]] Pending<T> ask(
        client::Ask what,
        std::string message,
        CallOptions options,
        std::function<T(const client::Answer&)> read
    ) const {
        std::shared_ptr<client::PendingCall> call = make_call(options, std::move(message));
        typename Pending<T>::Work work = [call, what, read = std::move(read)] {
            return ask_and_read<T>(call, what, read);
        };
        return Pending<T>(std::move(call), std::move(work));
    }

private:
    template <class T>
    static net::io_awaitable<T> ask_and_read(
        std::shared_ptr<client::PendingCall> call,
        client::Ask what,
        std::function<T(const client::Answer&)> read
    ) {
        const client::Answer answer = co_await call->ask(what);
        co_return read(answer);
    }

    std::shared_ptr<client::Self> self_;  // shared with the calls: either may go first
    const ClientMode mode_;
};

}  // namespace v0
}  // namespace openenv
