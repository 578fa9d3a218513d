#pragma once

#include "bench/run.hpp"

#include <string>
#include <string_view>

namespace openenv::bench {

/// One line of a terminal that says how it is going, written over again and again; where standard
/// error is no terminal nothing is written.
class ProgressLine {
public:
    ProgressLine();
    /// Wipes the line.
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// What is being done, before the figures: "round 2 of 5".
    void say(std::string_view what) { what_ = what; }
    void show(const Progress& progress);

private:
    bool is_terminal_;
    bool is_written_ = false;
    std::string what_;
    Progress last_;
};

/// "12.3 s, 64 of 64 sessions open, 71,234 steps/s". `before` is how it was a moment ago.
[[nodiscard]] std::string progress_text(const Progress& before, const Progress& now);

}  // namespace openenv::bench
