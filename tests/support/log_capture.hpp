#pragma once

#include <openenv/base/log.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
namespace test {

/// Takes every line of the log, and fails the test when it ends with an error logged that the test
/// did not expect, or an expected one missing. One at a time; make it before what it watches.
class LogCapture {
public:
    LogCapture();
    ~LogCapture();
    LogCapture(const LogCapture&) = delete;
    LogCapture& operator=(const LogCapture&) = delete;

    /// Error lines that contain `text` are what the test wants to see.
    void expect_error(std::string text);

    /// Returns once so many lines that contain `text` have been logged, at whatever level.
    /// Errors: throws after the hang bound.
    void wait_for(std::string_view text, std::size_t times = 1);
    /// The lines so far that contain `text`.
    [[nodiscard]] std::size_t count(std::string_view text) const;
    /// True when there is one.
    [[nodiscard]] bool has(std::string_view text) const { return count(text) != 0; }

private:
    struct Line {
        LogLevel level;
        std::string text;
    };

    static void take(LogLevel level, std::string_view text, void* self);
    [[nodiscard]] std::size_t count_locked(std::string_view text) const;

    mutable std::mutex mutex_;  // lines come from every thread of a server
    std::condition_variable more_;
    std::vector<Line> lines_;
    std::vector<std::string> expected_errors_;
};

}  // namespace test
}  // namespace openenv
