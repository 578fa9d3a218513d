#include "bench/progress_line.hpp"

#include "bench/report_text.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace openenv::bench {
namespace {

constexpr const char* kWipe = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    if (is_written_) {
        std::fputs(kWipe, stderr);
        std::fflush(stderr);
    }
}

void ProgressLine::show(const Progress& progress) {
    if (!is_terminal_) {
        return;
    }
    const std::string before = what_.empty() ? "" : what_ + ": ";
    const std::string text = kWipe + before + progress_text(last_, progress);
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    is_written_ = true;
    last_ = progress;
}

std::string progress_text(const Progress& before, const Progress& now) {
    const bool goes_on = now.elapsed > before.elapsed && now.steps >= before.steps;
    const std::uint64_t steps = goes_on ? now.steps - before.steps : now.steps;
    const double time = to_seconds(goes_on ? now.elapsed - before.elapsed : now.elapsed);
    std::string text = fmt::format(
        "{:.1f} s, {} of {} sessions open, {} steps/s",
        to_seconds(now.elapsed),
        count_text(now.open),
        count_text(now.sessions),
        count_text(time > 0 ? static_cast<std::uint64_t>(static_cast<double>(steps) / time) : 0)
    );
    if (now.failures > 0) {
        text += fmt::format(", {} failed", count_text(now.failures));
    }
    return text;
}

}  // namespace openenv::bench
