#include "server/checked_config.hpp"

#include <openenv/base/error.hpp>

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <string>
#include <thread>

namespace openenv {
inline namespace v0 {
namespace server {

namespace {

/// Room for a whole batch of rollouts; an idle session of a native environment costs kilobytes.
constexpr std::size_t kDefaultSessions = 1024;

void merge_concurrency(ServerConfig& config) {
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

template <class Duration>
void check_positive(const char* name, Duration value) {
    if (value <= Duration::zero()) {
        throw ConfigError(std::string(name) + " must be longer than 0");
    }
}

void check_exposure(const ServerConfig& config) {
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(config.host, error);
    const bool loopback = config.host == "localhost" || (!error && address.is_loopback());
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
}

}  // namespace

ServerConfig checked(const EnvironmentEntry& entry, ServerConfig config) {
    merge_concurrency(config);
    check_capacity(entry, config);
    check_exposure(config);
    if (config.session_timeout) {
        check_positive("session_timeout", *config.session_timeout);
    }
    if (config.call_timeout) {
        check_positive("call_timeout", *config.call_timeout);
    }
    check_positive("creation_timeout", config.creation_timeout);
    check_positive("tick", config.tick);
    if (config.max_message_bytes == 0 || config.max_header_bytes == 0) {
        throw ConfigError("max_message_bytes and max_header_bytes must be at least 1");
    }
    if (config.workers == 0) {
        throw ConfigError("workers is 0; environments need at least 1 worker thread");
    }
    if (config.threads == 0) {
        config.threads = std::max(1U, std::thread::hardware_concurrency());
    }
    return config;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
