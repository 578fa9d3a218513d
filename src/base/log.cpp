#include <openenv/base/log.hpp>

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <poll.h>
#include <string>
#include <unistd.h>
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

/// Standard error, for a process that must not wait for whoever reads it: a pipe that is full, or a
/// terminal that was stopped, loses lines, and is told how many once it takes some again.
class StandardError final : public spdlog::sinks::base_sink<std::mutex> {
    /// A pipe that polls as writable takes so much at once without waiting (PIPE_BUF, pipe(7)).
    static constexpr std::size_t kMostAtOnce = 4096;

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t text;
        formatter_->format(message, text);
        if (lost_ != 0) {
            const std::string gap = "(" + std::to_string(lost_) + " lines were lost here)\n";
            if (!write(gap)) {
                ++lost_;
                return;
            }
            lost_ = 0;
        }
        if (text.size() > kMostAtOnce) {
            text.resize(kMostAtOnce - 4);
            text.append(std::string_view("...\n"));
        }
        if (!write({text.data(), text.size()})) {
            ++lost_;
        }
    }
    void flush_() override {}

private:
    static bool write(std::string_view text) {
        pollfd ready{STDERR_FILENO, POLLOUT, 0};
        if (::poll(&ready, 1, 0) != 1 || (ready.revents & POLLOUT) == 0) {
            return false;
        }
        return ::write(STDERR_FILENO, text.data(), text.size()) >= 0;
    }

    std::size_t lost_ = 0;
};

/// The one logger of the process, and where its lines go.
struct Log {
    std::mutex mutex;
    std::shared_ptr<spdlog::logger> logger;
    LogSink sink = nullptr;
    void* context = nullptr;

    Log() {
        auto out = std::make_shared<StandardError>();
        logger = std::make_shared<spdlog::logger>("openenv", std::move(out));
        logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
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
