#pragma once

#include <openenv/base/json.hpp>
#include <openenv/wire/features.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {

class ClientLoop;
class Provider;
namespace net {
class Connector;
}

/// What a client is for. On the wire both are the same.
enum class ClientMode { simulation, production };

/// "simulation", "production".
[[nodiscard]] const char* name_of(ClientMode mode) noexcept;

/// What a connection that is gone means for the next call.
enum class Reconnect {
    on_reset,  ///< reset connects anew; step and state throw SessionLost: the episode is gone
    always,    ///< every call connects anew, silently, as the Python edition does; also after a
               ///< call that was given up, whatever the server grants
};

/// Every setting of a client, with its default. Times are not negative; `milliseconds::max()`
/// stands for no limit. A class with a constructor on purpose: gcc 12 destroys temporaries of
/// aggregates twice in some coroutine expressions.
class ClientOptions {
public:
    ClientOptions() = default;

    /// TCP, TLS and the upgrade together.
    std::chrono::milliseconds connect_timeout = std::chrono::seconds(10);
    /// A whole call: waiting for its turn, connecting, and the answer.
    std::chrono::milliseconds message_timeout = std::chrono::seconds(60);
    /// The largest answer taken; a larger one closes the connection with 1009.
    std::size_t max_message_bytes = 100 * 1024 * 1024;
    /// A server that is silent this long is pinged; unset or 0: never.
    std::optional<std::chrono::milliseconds> ping_interval = std::chrono::seconds(20);
    /// A server that leaves a ping unanswered this long is given up; unset or 0: never.
    std::optional<std::chrono::milliseconds> ping_timeout = std::chrono::seconds(20);
    /// How long the closing handshake may take before the connection is dropped.
    std::chrono::milliseconds close_timeout = std::chrono::seconds(10);

    Reconnect reconnect = Reconnect::on_reset;

    /// What to ask the server for: extensions of the protocol, which hold where it grants them.
    /// With `ids` a call that is given up costs no session; with `deadline` the server stops what
    /// ran out of time, and takes CallOptions::extra.
    wire::Features extensions{.ids = true, .deadline = true};

    /// Sent as `Authorization: Bearer <token>`; not beside a header Authorization of one's own.
    std::string token;
    /// Further headers of every request: of the upgrade, and of GET /schema.
    std::vector<std::pair<std::string, std::string>> headers;
    /// A file of certificates (PEM) to trust instead of the system's.
    std::string ca_file;

    /// "simulation" or "production" in any letter case. Unset: OPENENV_CLIENT_MODE, or simulation.
    std::optional<std::string> mode;

    /// Starts the server when no address was given. Stopped by close(), and when the very first
    /// connection to its server fails.
    std::shared_ptr<Provider> provider;  // shared: it outlives a client that is dropped in a hurry
    /// How long the provider's server may take until it answers.
    std::chrono::milliseconds ready_timeout = std::chrono::seconds(30);

    /// A server of this process to use instead of an address, from Server::connector().
    std::shared_ptr<net::Connector> connector;  // shared with the server: either may go first

    /// Where the client's work is done; unset: a thread of its own, shared with its children.
    std::shared_ptr<ClientLoop> loop;  // shared by the clients that use it
};

/// What one call may say.
class CallOptions {
public:
    CallOptions() = default;
    /// Implicit, so that a call can be written `step(action, 5s)`.
    template <class Count, class Period>
    CallOptions(std::chrono::duration<Count, Period> limit)
        : timeout(
              limit < kLongest ? std::chrono::ceil<std::chrono::milliseconds>(limit)
                               : std::chrono::milliseconds(kLongest)
          ) {}

    /// Instead of message_timeout. The server hears of it where it grants `deadline`, and stops.
    std::optional<std::chrono::milliseconds> timeout;
    /// Of a step: an object that reaches the environment as StepOptions::extra. Null: none.
    /// Errors: Exception (usage) where the server does not grant `deadline`; nothing is sent then.
    Json extra;

private:
    static constexpr std::chrono::hours kLongest{10 * 365 * 24};
};

}  // namespace v0
}  // namespace openenv
