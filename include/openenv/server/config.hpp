#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace openenv {
inline namespace v0 {

/// What kind of server: `production` has no HTTP /reset, /step and /state.
enum class ServerMode : std::uint8_t { simulation, production };

/// Reads "simulation" or "production" in any letter case. Errors: ConfigError naming both.
[[nodiscard]] ServerMode parse_mode(const std::string& text);

/// How many sessions at once, as one value; the alternative to ServerConfig::max_concurrent_envs.
struct ConcurrencyConfig {
    std::size_t max_concurrent_envs = 1;
    /// A session without a call for this long is closed.
    std::optional<std::chrono::milliseconds> session_timeout;
};

/// Every setting of a server, with its default. Limits of what a peer can send come first.
/// A setting that cannot be is a ConfigError when the server is made, with the way out in its text.
struct ServerConfig {
    std::size_t max_message_bytes = 16 * 1024 * 1024;  ///< one WebSocket message or HTTP body
    std::size_t max_header_bytes = 16 * 1024;
    /// To a complete header; between two parts of a body.
    std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
    /// From the header to the last byte of the body.
    std::chrono::milliseconds body_timeout = std::chrono::seconds(120);
    /// Open connections of every kind; beyond it new ones are answered with 503 and closed.
    std::size_t max_connections = 65536;

    /// At most one of these two may be set. Neither: 1024 sessions at once, or 1 if the environment
    /// does not declare `supports_concurrent_sessions`.
    std::optional<std::size_t> max_concurrent_envs;
    std::optional<ConcurrencyConfig> concurrency;
    /// A session without a call for this long is closed; unset: never.
    std::optional<std::chrono::milliseconds> session_timeout;
    /// So many may wait for a session when every one is taken; 0: nobody waits, all are refused.
    std::size_t queue_depth = 0;
    /// Who has waited so long is refused.
    std::chrono::milliseconds queue_timeout = std::chrono::seconds(30);
    /// Sessions of one peer, which is an address or the user behind a Unix socket; unset: no limit.
    std::optional<std::size_t> max_sessions_per_peer;
    /// HTTP calls under way at once, each with an environment of its own; beyond it: 503.
    std::size_t max_stateless_calls = 64;

    /// false: nowhere, whatever the next ones say; clients of the process come in all the same
    /// (Server::connector).
    bool listen = true;
    std::string host = "127.0.0.1";
    std::uint16_t port = 8000;  ///< 0: the system chooses
    /// A file to listen at as well, as a Unix domain socket: those on this machine who may open it
    /// can connect, and for a token that counts as loopback. It is made absolute, replaced where
    /// its server has ended, and removed when this one stops.
    std::optional<std::string> uds;
    std::uint32_t uds_mode = 0600;  ///< the rights of that file
    bool tcp = true;                ///< false: not on `host` and `port`, at `uds` alone
    /// Needed (or a token) to listen beyond loopback.
    bool insecure = false;
    /// When set, every request but GET /health needs `Authorization: Bearer <token>`.
    std::optional<std::string> token;

    ServerMode mode = ServerMode::simulation;
    std::size_t threads = 0;  ///< I/O threads; 0: one a core
    /// So long after its last work an I/O thread looks for more before it sleeps.
    std::chrono::microseconds busy_poll{0};
    std::size_t workers = 256;  ///< at most so many threads for environment code

    std::chrono::milliseconds creation_timeout = std::chrono::seconds(120);
    std::optional<std::chrono::milliseconds> call_timeout;  ///< reset, step, state; unset: no limit
    std::chrono::microseconds inline_budget = std::chrono::milliseconds(1);

    std::chrono::milliseconds ping_interval = std::chrono::seconds(20);
    std::chrono::milliseconds ping_timeout = std::chrono::seconds(20);
    std::chrono::milliseconds close_timeout = std::chrono::seconds(5);
    /// How long a refused peer may take to read why, before the connection is closed.
    std::chrono::milliseconds refusal_linger = std::chrono::seconds(2);
    /// For what is under way when the server is told to stop.
    std::chrono::milliseconds shutdown_grace = std::chrono::seconds(10);
    /// How often time limits are looked at; every limit above is kept to within it.
    std::chrono::milliseconds tick = std::chrono::milliseconds(250);

    /// Markdown for `readme_content` of /metadata, where the environment gives none.
    std::optional<std::string> readme;
};

/// Takes what `MAX_CONCURRENT_ENVS` and the OPENENV_* variables say over what `config` says. With
/// OPENENV_UDS it is there alone that the server listens.
/// Errors: ConfigError naming the variable and its value.
void apply_environment_variables(ServerConfig& config);

}  // namespace v0
}  // namespace openenv
