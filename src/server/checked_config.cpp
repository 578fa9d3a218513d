#include "server/checked_config.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>
#include <openenv/net/url.hpp>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

void check_capacity(const EnvironmentEntry& entry, ServerConfig& config) {
    const bool concurrent = entry.traits.supports_concurrent_sessions;
    if (!config.max_concurrent_envs) {
        config.max_concurrent_envs = concurrent ? kDefaultSessions : 1;
    }
    const std::size_t limit = *config.max_concurrent_envs;
    if (limit == 0) {
        throw ConfigError(
            "max_concurrent_envs is 0; it must be at least 1 (MAX_CONCURRENT_ENVS, "
            "--max-concurrent-envs)"
        );
    }
    if (limit > 1 && !concurrent) {
        throw ConfigError(
            "Environment '" + entry.class_name +
            "' is not marked as SUPPORTS_CONCURRENT_SESSIONS. Cannot run with "
            "max_concurrent_envs=" +
            std::to_string(limit) +
            ". Set it to 1, or declare `static constexpr bool supports_concurrent_sessions = "
            "true;` "
            "in the environment if several of its instances may live at once."
        );
    }
}

/// Far beyond any use, and far from where adding to a point in time overflows.
constexpr std::chrono::hours kLongest{24 * 365};
constexpr std::size_t kLargestMessage = std::size_t{1} << 30;
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;

template <class Duration>
void check_duration(const char* name, Duration value) {
    if (value <= Duration::zero() || value > kLongest) {
        throw ConfigError(std::string(name) + " must be longer than 0 and at most a year");
    }
}

void check_durations(const ServerConfig& config) {
    if (config.session_timeout) {
        check_duration("session_timeout", *config.session_timeout);
    }
    if (config.call_timeout) {
        check_duration("call_timeout", *config.call_timeout);
    }
    check_duration("queue_timeout", config.queue_timeout);
    check_duration("request_timeout", config.request_timeout);
    check_duration("body_timeout", config.body_timeout);
    check_duration("creation_timeout", config.creation_timeout);
    check_duration("inline_budget", config.inline_budget);
    check_duration("ping_interval", config.ping_interval);
    check_duration("ping_timeout", config.ping_timeout);
    check_duration("close_timeout", config.close_timeout);
    check_duration("refusal_linger", config.refusal_linger);
    check_duration("shutdown_grace", config.shutdown_grace);
    check_duration("tick", config.tick);
}

void check_count(const char* name, std::size_t value, std::size_t most) {
    if (value == 0 || value > most) {
        throw ConfigError(
            std::string(name) + " is " + std::to_string(value) + "; it must be from 1 to " +
            std::to_string(most)
        );
    }
}

constexpr std::string_view kUnixScheme = "unix:";

void check_uds(ServerConfig& config) {
    if (!config.uds) {
        if (config.listen && !config.tcp) {
            throw ConfigError("tcp is false and uds names no file: there is nothing to listen on");
        }
        return;
    }
    if (config.uds->starts_with(kUnixScheme)) {
        config.uds->erase(0, kUnixScheme.size());  // as clients write it
    }
    if (config.uds->empty()) {
        throw ConfigError("uds is empty; it takes the path of a file to make (--uds, OPENENV_UDS)");
    }
    constexpr std::uint32_t kRights = 0777;
    if ((config.uds_mode & ~kRights) != 0) {
        throw ConfigError("uds_mode has more than the nine rights of a file, 0777");
    }
    config.uds = std::filesystem::absolute(*config.uds).lexically_normal().string();
    try {
        (void)net::parse_url(std::string(kUnixScheme) + *config.uds);
    } catch (const ConfigError& error) {
        throw ConfigError(std::string("uds (--uds, OPENENV_UDS): ") + error.what());
    }
}

void check_exposure(const ServerConfig& config) {
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(config.host, error);
    const bool loopback = !config.listen || !config.tcp || config.host == "localhost" ||
                          (!error && address.is_loopback());
    if (!loopback && !config.insecure && !config.token) {
        throw ConfigError(
            "host " + config.host +
            " can be reached by others, and nothing protects the server: set a token (--token, "
            "OPENENV_TOKEN), or say that this is meant (--insecure, OPENENV_INSECURE=1)"
        );
    }
    if (config.token && config.token->empty()) {
        throw ConfigError("the token is empty; give one, or none");
    }
    const auto is_visible = [](char c) { return c > ' ' && c < 0x7F; };
    if (config.token && !std::all_of(config.token->begin(), config.token->end(), is_visible)) {
        throw ConfigError("the token has a blank or another character that no header can carry");
    }
    if (!loopback && !config.token) {
        log(LogLevel::warning,
            "everybody who reaches " + config.host + " can use this server: it has no token");
    }
}

}  // namespace

void fold_concurrency(ServerConfig& config) {
    if (!config.concurrency) {
        return;
    }
    if (config.max_concurrent_envs) {
        throw ConfigError(
            "max_concurrent_envs and a concurrency configuration are both given; keep one of them"
        );
    }
    config.max_concurrent_envs = config.concurrency->max_concurrent_envs;
    if (config.concurrency->session_timeout) {
        config.session_timeout = config.concurrency->session_timeout;
    }
    config.concurrency.reset();
}

ServerConfig checked(const EnvironmentEntry& entry, ServerConfig config) {
    fold_concurrency(config);
    check_capacity(entry, config);
    check_uds(config);
    check_exposure(config);
    check_durations(config);
    constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
    check_count("max_message_bytes", config.max_message_bytes, kLargestMessage);
    check_count("max_header_bytes", config.max_header_bytes, kLargestHeader);
    check_count("max_stateless_calls", config.max_stateless_calls, kAny);
    check_count("max_connections", config.max_connections, kAny);
    if (config.max_sessions_per_peer) {
        check_count("max_sessions_per_peer", *config.max_sessions_per_peer, kAny);
    }
    check_count("workers", config.workers, kAny);
    if (config.busy_poll.count() < 0 || config.busy_poll > kLongestBusyPoll) {
        throw ConfigError("busy_poll must be from 0 to 10 ms");
    }
    if (config.threads == 0) {
        config.threads = std::max(1U, std::thread::hardware_concurrency());
    }
    return config;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
