#include <openenv/base/log.hpp>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
        case LogLevel::off:
            return spdlog::level::off;
    }
    return spdlog::level::info;
}

/// The one logger of the process, and where its lines go.
struct Log {
    std::mutex mutex;
    std::shared_ptr<spdlog::logger> logger;
    LogSink sink = nullptr;
    void* context = nullptr;

    Log() {
        auto out = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
        logger = std::make_shared<spdlog::logger>("openenv", std::move(out));
        logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %^%l%$ %v");
        const char* wanted = std::getenv("OPENENV_LOG_LEVEL");
        const auto level = log_level_named(wanted != nullptr ? wanted : "");
        logger->set_level(to_spdlog(level.value_or(LogLevel::info)));
    }
};

Log& instance() {
    static Log log;
    return log;
}

}  // namespace

std::optional<LogLevel> log_level_named(std::string_view name) {
    constexpr std::pair<std::string_view, LogLevel> kNames[] = {
        {"debug", LogLevel::debug},
        {"info", LogLevel::info},
        {"warning", LogLevel::warning},
        {"warn", LogLevel::warning},
        {"error", LogLevel::error},
        {"off", LogLevel::off},
    };
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    };
    for (const auto& [known, level] : kNames) {
        if (std::equal(name.begin(), name.end(), known.begin(), known.end(), same)) {
            return level;
        }
    }
    return std::nullopt;
}

void set_log_level(LogLevel level) {
    instance().logger->set_level(to_spdlog(level));
}

void log(LogLevel level, std::string_view message) {
    Log& target = instance();
    if (!target.logger->should_log(to_spdlog(level))) {
        return;
    }
    const std::scoped_lock lock(target.mutex);
    if (target.sink != nullptr) {
        target.sink(level, message, target.context);
        return;
    }
    target.logger->log(to_spdlog(level), "{}", message);
}

void set_log_sink(LogSink sink, void* context) {
    Log& target = instance();
    const std::scoped_lock lock(target.mutex);
    target.sink = sink;
    target.context = context;
}

}  // namespace v0
}  // namespace openenv
