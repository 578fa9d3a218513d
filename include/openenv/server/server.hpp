#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/net/message_stream.hpp>
#include <openenv/server/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace openenv {
inline namespace v0 {

/// Serves one environment over HTTP and WebSocket.
/// Thread: start and stop from one thread; the rest from any.
class Server {
public:
    /// Checks the configuration; opens nothing yet.
    /// Errors: ConfigError, for example when a capacity above 1 meets an environment that does not
    /// declare `supports_concurrent_sessions`.
    Server(EnvironmentEntry entry, ServerConfig config);
    /// Stops as stop() does. If code of an environment never returns, nothing of the process can be
    /// torn down safely any more: that is logged and the process ends with exit code 3.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Listens, unless it is not to, and returns; the work is done by threads of the server.
    /// Errors: Exception (network) when the address or the file cannot be bound.
    void start();

    /// Refuses what is new, lets calls under way finish, closes every connection with 1001 and
    /// every environment, within the grace time. Blocking. Returns the number of threads and tasks
    /// of environments that did not end; if it is not 0, see the destructor.
    std::size_t stop();

    /// The way in for clients of this process, over no socket (ClientOptions::connector): a
    /// session of the server like any other, for which no token is needed. What connects before
    /// start() or from stop() on is refused.
    /// Thread: any. Lifetime: it may outlive the server.
    [[nodiscard]] std::shared_ptr<net::Connector> connector() const noexcept;

    /// The port, also when the system chose it; 0 where it does not listen with TCP. Valid after
    /// start().
    [[nodiscard]] std::uint16_t port() const noexcept;
    /// "http://127.0.0.1:8000", or "unix:/run/env.sock" without TCP; empty where it does not
    /// listen. Valid after start().
    [[nodiscard]] std::string url() const;
    /// Where it listens, url() first. Valid after start().
    [[nodiscard]] std::vector<std::string> urls() const;
    /// Sessions that hold a place of the capacity at this moment.
    [[nodiscard]] std::size_t active_sessions() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace v0
}  // namespace openenv
