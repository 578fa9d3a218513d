#pragma once

#include <openenv/server/server.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace openenv {
namespace test {

/// Settings for a server of a test: a port that the system chooses, and limits that are looked at
/// every 10 ms. What a test wants to see happen soon it sets shorter.
[[nodiscard]] ServerConfig quick_config();
/// quick_config() with room for so many sessions.
[[nodiscard]] ServerConfig quick_config(std::size_t max_concurrent_envs);

/// A server that runs as long as this object lives. Make it before its clients: they go first then.
class RunningServer {
public:
    explicit RunningServer(EnvironmentEntry entry, ServerConfig config = quick_config());

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }
    /// "http://127.0.0.1:PORT".
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }
    /// The way in over no socket.
    [[nodiscard]] std::shared_ptr<net::Connector> connector() const { return server_.connector(); }
    [[nodiscard]] std::size_t active_sessions() const { return server_.active_sessions(); }
    /// Blocking, as Server::stop.
    std::size_t stop() { return server_.stop(); }

private:
    Server server_;
};

}  // namespace test
}  // namespace openenv
