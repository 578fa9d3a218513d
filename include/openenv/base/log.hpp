#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace openenv {
inline namespace v0 {

/// Severities, in rising order. `off` silences everything.
enum class LogLevel { debug, info, warning, error, off };

/// The level of that name in any letter case ("warning" or "warn"), or nothing.
[[nodiscard]] std::optional<LogLevel> log_level_named(std::string_view name);

/// How lines are written: `text` for people, `json` with one object a line for programs.
enum class LogFormat { text, json };

/// The format of that name in any letter case, or nothing.
[[nodiscard]] std::optional<LogFormat> log_format_named(std::string_view name);

/// Default: text, or `OPENENV_LOG_FORMAT` where that names one.
void set_log_format(LogFormat format);

/// Something that belongs to a line, such as the session it is about: "session=3f-0-17" behind the
/// message in text, a member in JSON. Lifetime: a text is not copied.
struct LogField {
    using Value = std::variant<std::string_view, std::int64_t, std::uint64_t, double, bool>;

    LogField(std::string_view name_, std::string_view text) : name(name_), value(text) {}
    LogField(std::string_view name_, const char* text)
        : name(name_), value(std::string_view(text)) {}
    template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
    LogField(std::string_view name_, Number number) : name(name_), value(wide(number)) {}

    std::string_view name;  ///< letters, digits and underscores
    Value value;

private:
    template <class Number>
    static Value wide(Number number) {
        if constexpr (std::same_as<Number, bool>) {
            return number;
        } else if constexpr (std::floating_point<Number>) {
            return static_cast<double>(number);
        } else if constexpr (std::signed_integral<Number>) {
            return static_cast<std::int64_t>(number);
        } else {
            return static_cast<std::uint64_t>(number);
        }
    }
};

/// Everything below `level` is dropped. Default: info, or `OPENENV_LOG_LEVEL` where that names one.
void set_log_level(LogLevel level);

/// Writes one line to standard error, and never waits for it: where nobody reads, lines are lost
/// and counted. Thread: any. Never pass a token or an action's content.
void log(LogLevel level, std::string_view message);
void log(LogLevel level, std::string_view message, std::span<const LogField> fields);
inline void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
    log(level, message, std::span<const LogField>(fields.begin(), fields.size()));
}

/// Whether a line of that level is not dropped; for lines that cost something to put together.
[[nodiscard]] bool logs(LogLevel level);

/// Receives every line that is not dropped, as text, instead of standard error; for tests and
/// embedders.
/// Thread: called under a lock, from whichever thread logs. A null pointer restores stderr.
using LogSink = void (*)(LogLevel, std::string_view, void* context);
void set_log_sink(LogSink sink, void* context = nullptr);

}  // namespace v0
}  // namespace openenv
