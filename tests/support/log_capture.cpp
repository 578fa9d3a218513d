#include "support/log_capture.hpp"

#include "support/hang_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace openenv {
namespace test {

LogCapture::LogCapture() {
    set_log_sink(&LogCapture::take, this);
}

LogCapture::~LogCapture() {
    set_log_sink(nullptr);
    for (const Line& line : lines_) {
        const bool expected = std::any_of(
            expected_errors_.begin(),
            expected_errors_.end(),
            [&](const std::string& text) { return line.text.find(text) != std::string::npos; }
        );
        if (line.level == LogLevel::error && !expected) {
            ADD_FAILURE() << "unexpected error in the log: " << line.text;
        }
    }
    for (const std::string& text : expected_errors_) {
        EXPECT_NE(count_locked(text), 0U) << "no error in the log says: " << text;
    }
}

void LogCapture::expect_error(std::string text) {
    const std::scoped_lock lock(mutex_);
    expected_errors_.push_back(std::move(text));
}

void LogCapture::wait_for(std::string_view text, std::size_t times) {
    std::unique_lock lock(mutex_);
    if (!more_.wait_for(lock, kHangBound, [&] { return count_locked(text) >= times; })) {
        throw std::runtime_error("never logged: " + std::string(text));
    }
}

std::size_t LogCapture::count(std::string_view text) const {
    const std::scoped_lock lock(mutex_);
    return count_locked(text);
}

std::size_t LogCapture::count_locked(std::string_view text) const {
    const auto lines = std::count_if(lines_.begin(), lines_.end(), [&](const Line& line) {
        return line.text.find(text) != std::string::npos;
    });
    return static_cast<std::size_t>(lines);
}

void LogCapture::take(LogLevel level, std::string_view text, void* context) {
    auto& self = *static_cast<LogCapture*>(context);
    const std::scoped_lock lock(self.mutex_);
    self.lines_.push_back({level, std::string(text)});
    self.more_.notify_all();
}

}  // namespace test
}  // namespace openenv
