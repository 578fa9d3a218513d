#pragma once

#include <optional>
#include <string_view>

namespace openenv {
inline namespace v0 {

/// Severities, in rising order. `off` silences everything.
enum class LogLevel { debug, info, warning, error, off };

/// The level of that name in any letter case ("warning" or "warn"), or nothing.
[[nodiscard]] std::optional<LogLevel> log_level_named(std::string_view name);

/// Everything below `level` is dropped. Default: info, or `OPENENV_LOG_LEVEL` where that names one.
void set_log_level(LogLevel level);

/// Writes one line to standard error, and never waits for it: where nobody reads, lines are lost
/// and counted. Thread: any. Never pass a token or an action's content.
void log(LogLevel level, std::string_view message);

/// Receives every line that is not dropped, instead of standard error; for tests and embedders.
/// Thread: called under a lock, from whichever thread logs. A null pointer restores stderr.
using LogSink = void (*)(LogLevel, std::string_view, void* context);
void set_log_sink(LogSink sink, void* context = nullptr);

}  // namespace v0
}  // namespace openenv
