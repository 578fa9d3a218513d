#pragma once

#include "bench/clock.hpp"
#include "bench/link.hpp"
#include "bench/plan.hpp"
#include "bench/report.hpp"
#include "bench/server_probe.hpp"

#include <optional>

namespace openenv::bench {

/// Writes down what happens in a run. It measures from begin() to end(): answers count that come in
/// between, and latencies of the steps that were due in between, whenever they are answered. Where
/// the number of steps is given, exactly those count that were due in between.
class Recorder {
public:
    explicit Recorder(const Plan& plan);

    void begin(Clock::time_point now);
    /// Counts up to `now`; steps that are still out are to be told of all the same.
    void end(Clock::time_point now);
    /// Looks at the server once more.
    void look();

    [[nodiscard]] bool is_measuring() const noexcept { return begin_ && !end_; }
    [[nodiscard]] bool has_ended() const noexcept { return end_.has_value(); }
    [[nodiscard]] Clock::time_point began() const { return *begin_; }
    /// Whether a step that was due at that time is one to measure.
    [[nodiscard]] bool counts(Clock::time_point due) const;

    void connected(Link& link, Clock::time_point now);
    void opened(const Link& link);
    void reset_answered(Link& link, Clock::time_point now);
    void step_answered(Link& link, Clock::time_point now);
    /// The steps that were due while it was measured and cannot be sent any more; they have waited
    /// at least until now.
    void gave_up(const Link& link, Clock::time_point now);
    void completed(const Link& link, Clock::time_point now);
    void failed(const Trouble& trouble, std::uint64_t sessions);

    [[nodiscard]] std::uint64_t all_steps() const noexcept { return all_steps_; }
    [[nodiscard]] const Report& report() const noexcept { return report_; }
    /// What was found.  `began` is when the first session was to start, `ended` the end of the
    /// last.
    [[nodiscard]] Report finish(Clock::time_point began, Clock::time_point ended);

private:
    void end_server();

    const Plan& plan_;
    std::optional<ServerProbe> probe_;
    std::optional<Clock::time_point> begin_;
    std::optional<Clock::time_point> end_;
    Nanoseconds client_cpu_before_{0};
    std::uint64_t all_steps_ = 0;
    Report report_;
};

}  // namespace openenv::bench
