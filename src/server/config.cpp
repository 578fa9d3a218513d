#include "server/checked_config.hpp"

#include <openenv/base/ascii.hpp>
#include <openenv/base/error.hpp>
#include <openenv/base/log.hpp>
#include <openenv/server/config.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace openenv {
inline namespace v0 {

namespace {

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') {
        return std::nullopt;
    }
    return std::string(value);
}

bool yes_or_no(const char* name, const std::string& text) {
    const std::string word = ascii_lower(text);
    if (word == "1" || word == "true" || word == "yes" || word == "on") {
        return true;
    }
    if (word == "0" || word == "false" || word == "no" || word == "off") {
        return false;
    }
    throw ConfigError(
        std::string(name) + " is '" + text +
        "'; it must be one of 1, true, yes, on, 0, false, no, off"
    );
}

/// As images of the Python edition mean it: whatever it is, it is no error.
bool is_set(const std::string& text) {
    const std::string word = ascii_lower(text);
    return word == "1" || word == "true" || word == "yes";
}

std::size_t whole_number(const char* name, const std::string& text, std::size_t least) {
    std::size_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end || value < least) {
        throw ConfigError(
            std::string(name) + " is '" + text + "'; it must be a whole number of at least " +
            std::to_string(least)
        );
    }
    return value;
}

std::chrono::milliseconds time_span(const char* name, const std::string& text) {
    double seconds = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, seconds);
    constexpr double kLongest = 365.0 * 24 * 3600;
    if (error != std::errc() || stopped != end || !(seconds > 0) || seconds > kLongest) {
        throw ConfigError(
            std::string(name) + " is '" + text +
            "'; it must be a number of seconds above 0 and at most a year"
        );
    }
    return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(seconds * 1000)));
}

std::string read_file(const char* name, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (file.peek() != std::ifstream::traits_type::eof()) {
        content << file.rdbuf();
    }
    std::error_code ignored;
    if (file.bad() || !file.is_open() || std::filesystem::is_directory(path, ignored)) {
        throw ConfigError(std::string(name) + " is '" + path + "', which cannot be read as a file");
    }
    return content.str();
}

}  // namespace

ServerMode parse_mode(const std::string& text) {
    const std::string word = ascii_lower(text);
    if (word == "simulation") {
        return ServerMode::simulation;
    }
    if (word == "production") {
        return ServerMode::production;
    }
    throw ConfigError("Invalid mode: '" + text + "'. Must be one of: simulation, production");
}

void apply_environment_variables(ServerConfig& config) {
    server::fold_concurrency(config);
    if (const auto limit = variable("MAX_CONCURRENT_ENVS")) {
        config.max_concurrent_envs = whole_number("MAX_CONCURRENT_ENVS", *limit, 1);
    }
    if (const auto level = variable("OPENENV_LOG_LEVEL"); level && !log_level_named(*level)) {
        throw ConfigError(
            "OPENENV_LOG_LEVEL is '" + *level +
            "'; it must be one of debug, info, warning, error, off"
        );
    }
    if (const auto format = variable("OPENENV_LOG_FORMAT"); format && !log_format_named(*format)) {
        throw ConfigError("OPENENV_LOG_FORMAT is '" + *format + "'; it must be one of text, json");
    }
    if (const auto depth = variable("OPENENV_QUEUE_DEPTH")) {
        config.queue_depth = whole_number("OPENENV_QUEUE_DEPTH", *depth, 0);
    }
    if (const auto timeout = variable("OPENENV_QUEUE_TIMEOUT")) {
        config.queue_timeout = time_span("OPENENV_QUEUE_TIMEOUT", *timeout);
    }
    if (const auto most = variable("OPENENV_MAX_SESSIONS_PER_PEER")) {
        config.max_sessions_per_peer = whole_number("OPENENV_MAX_SESSIONS_PER_PEER", *most, 1);
    }
    if (const auto mode = variable("OPENENV_MODE")) {
        try {
            config.mode = parse_mode(*mode);
        } catch (const ConfigError& error) {
            throw ConfigError(std::string("OPENENV_MODE: ") + error.what());
        }
    }
    if (const auto host = variable("OPENENV_HOST")) {
        config.host = *host;
    }
    if (auto uds = variable("OPENENV_UDS")) {
        config.uds = std::move(uds);
        config.tcp = false;
    }
    if (const auto insecure = variable("OPENENV_INSECURE")) {
        config.insecure = yes_or_no("OPENENV_INSECURE", *insecure);
    }
    if (auto token = variable("OPENENV_TOKEN")) {
        config.token = std::move(token);
    }
    if (const auto readme = variable("ENV_README_PATH")) {
        config.readme = read_file("ENV_README_PATH", *readme);
    }
    if (const auto web = variable("ENABLE_WEB_INTERFACE"); web && is_set(*web)) {
        log(LogLevel::warning,
            "ENABLE_WEB_INTERFACE is set, but this version has no web page; serving without it");
    }
}

}  // namespace v0
}  // namespace openenv
