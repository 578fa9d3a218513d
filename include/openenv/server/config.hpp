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
    /// Open connections of every kind; beyond it new ones are closed at once.
    std::size_t max_connections = 65536;

    /// At most one of these two may be set. Neither: 1024 sessions at once, or 1 if the environment
    /// does not declare `supports_concurrent_sessions`.
    std::optional<std::size_t> max_concurrent_envs;
    std::optional<ConcurrencyConfig> concurrency;
    /// A session without a call for this long is closed; unset: never.
    std::optional<std::chrono::milliseconds> session_timeout;
    /// HTTP calls under way at once, each with an environment of its own; beyond it: 503.
    std::size_t max_stateless_calls = 64;

    std::string host = "127.0.0.1";
    std::uint16_t port = 8000;  ///< 0: the system chooses
    /// Needed (or a token) to listen beyond loopback.
    bool insecure = false;
    /// When set, every request but GET /health needs `Authorization: Bearer <token>`.
    std::optional<std::string> token;

    ServerMode mode = ServerMode::simulation;
    std::size_t threads = 0;    ///< I/O threads; 0: one a core
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

/// Takes what `MAX_CONCURRENT_ENVS` and the OPENENV_* variables say over what `config` says.
/// Errors: ConfigError naming the variable and its value.
void apply_environment_variables(ServerConfig& config);

}  // namespace v0
}  // namespace openenv
