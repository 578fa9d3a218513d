#include <openenv/base/json_writer.hpp>
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
#include <type_traits>
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

/// A pipe that polls as writable takes so much at once without waiting (PIPE_BUF, pipe(7)).
constexpr std::size_t kMostAtOnce = 4096;

/// Of a line in JSON, beside its message and fields.
constexpr std::size_t kJsonFrame = 128;

template <class Enum, std::size_t size>
std::optional<Enum> named(
    const std::pair<std::string_view, Enum> (&names)[size], std::string_view name
) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    };
    for (const auto& [known, value] : names) {
        if (std::equal(name.begin(), name.end(), known.begin(), known.end(), same)) {
            return value;
        }
    }
    return std::nullopt;
}

void append_value(JsonWriter& writer, const LogField::Value& value, std::size_t most_text) {
    std::visit(
        [&](const auto& one) {
            using Value = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Value, std::string_view>) {
                writer.string(one.substr(0, most_text));
            } else if constexpr (std::is_same_v<Value, bool>) {
                writer.boolean(one);
            } else if constexpr (std::is_same_v<Value, double>) {
                writer.number(one);
            } else {
                writer.integer(one);
            }
        },
        value
    );
}

/// Whether a text can stand behind `key=` as it is.
bool is_plain(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return c > ' ' && c < 0x7F && c != '"' && c != '=';
    });
}

std::string as_text(std::string_view message, std::span<const LogField> fields) {
    std::string out(message);
    for (const LogField& field : fields) {
        out += ' ';
        out += field.name;
        out += '=';
        const auto* text = std::get_if<std::string_view>(&field.value);
        if (text != nullptr && is_plain(*text)) {
            out += *text;
        } else {
            JsonWriter writer(out);
            append_value(writer, field.value, std::string_view::npos);
        }
    }
    return out;
}

/// `"message":...,"session":...`, without the braces, in at most kMostAtOnce bytes with them: long
/// texts are cut, and `"cut":true` says so.
std::string as_members(std::string_view message, std::span<const LogField> fields) {
    std::size_t most_text = std::string_view::npos;
    for (;;) {
        std::string out;
        JsonWriter writer(out);
        writer.begin_object();
        writer.key("message");
        writer.string(message.substr(0, most_text));
        for (const LogField& field : fields) {
            writer.key(field.name);
            append_value(writer, field.value, most_text);
        }
        if (most_text != std::string_view::npos) {
            writer.key("cut");
            writer.boolean(true);
        }
        if (out.size() + kJsonFrame <= kMostAtOnce || most_text == 0) {
            return out.substr(1);
        }
        most_text = std::min(most_text, kMostAtOnce) / 2;
    }
}

/// Standard error, for a process that must not wait for whoever reads it: a pipe that is full, or a
/// terminal that was stopped, loses lines, and is told how many once it takes some again.
class StandardError final : public spdlog::sinks::base_sink<std::mutex> {
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
    LogFormat format = LogFormat::text;
    LogSink sink = nullptr;
    void* context = nullptr;

    Log() {
        auto out = std::make_shared<StandardError>();
        logger = std::make_shared<spdlog::logger>("openenv", std::move(out));
        const char* wanted = std::getenv("OPENENV_LOG_LEVEL");
        const auto level = log_level_named(wanted != nullptr ? wanted : "");
        logger->set_level(to_spdlog(level.value_or(LogLevel::info)));
        const char* written = std::getenv("OPENENV_LOG_FORMAT");
        write_as(log_format_named(written != nullptr ? written : "").value_or(LogFormat::text));
    }

    void write_as(LogFormat wanted) {
        format = wanted;
        if (format == LogFormat::json) {
            logger->set_pattern(
                R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})",
                spdlog::pattern_time_type::utc
            );
        } else {
            logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
        }
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
    return named(kNames, name);
}

std::optional<LogFormat> log_format_named(std::string_view name) {
    constexpr std::pair<std::string_view, LogFormat> kNames[] = {
        {"text", LogFormat::text},
        {"json", LogFormat::json},
    };
    return named(kNames, name);
}

void set_log_level(LogLevel level) {
    instance().logger->set_level(to_spdlog(level));
}

void set_log_format(LogFormat format) {
    Log& target = instance();
    const std::scoped_lock lock(target.mutex);
    target.write_as(format);
}

void log(LogLevel level, std::string_view message) {
    log(level, message, std::span<const LogField>());
}

void log(LogLevel level, std::string_view message, std::span<const LogField> fields) {
    if (!logs(level)) {
        return;
    }
    Log& target = instance();
    const std::scoped_lock lock(target.mutex);
    if (target.sink != nullptr) {
        target.sink(level, as_text(message, fields), target.context);
        return;
    }
    const bool json = target.format == LogFormat::json;
    target.logger->log(
        to_spdlog(level), "{}", json ? as_members(message, fields) : as_text(message, fields)
    );
}

bool logs(LogLevel level) {
    return instance().logger->should_log(to_spdlog(level));
}

void set_log_sink(LogSink sink, void* context) {
    Log& target = instance();
    const std::scoped_lock lock(target.mutex);
    target.sink = sink;
    target.context = context;
}

}  // namespace v0
}  // namespace openenv
