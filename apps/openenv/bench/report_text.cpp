#include "bench/report_text.hpp"

#include "printable.hpp"

#include <fmt/format.h>

#include <cmath>

namespace openenv::bench {
namespace {

/// Three digits, or as many as stand before the point.
std::string three_digits(double value) {
    if (value >= 100) {
        return fmt::format("{:.0f}", value);
    }
    return value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

std::string row(
    std::string_view name,
    std::string_view p50,
    std::string_view p90,
    std::string_view p99,
    std::string_view p999,
    std::string_view longest,
    std::string_view count
) {
    return fmt::format(
        "  {:<10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12}\n", name, p50, p90, p99, p999, longest, count
    );
}

std::string row(std::string_view name, const Histogram& times) {
    if (times.count() == 0) {
        return row(name, "-", "-", "-", "-", "-", "0");
    }
    return row(
        name,
        time_text(times.at_share(0.5)),
        time_text(times.at_share(0.9)),
        time_text(times.at_share(0.99)),
        time_text(times.at_share(0.999)),
        time_text(times.longest()),
        count_text(times.count())
    );
}

std::string line(std::string_view name, std::string_view value) {
    return fmt::format("  {:<10}{}\n", name, value);
}

std::string cpu_text(const Report& report, Nanoseconds cpu) {
    const std::optional<double> cost = report.microseconds_per_step(cpu);
    const std::string whole = time_text(cpu);
    return cost ? fmt::format("{} us/step ({})", three_digits(*cost), whole) : whole;
}

std::string cpu_line(const Report& report) {
    std::string text = "generator " + cpu_text(report, report.client_cpu);
    if (report.server) {
        text += fmt::format(
            ", server {}, {} threads, {:.1f} MiB",
            cpu_text(report, report.server->cpu),
            report.server->threads,
            static_cast<double>(report.server->resident_kib) / 1024
        );
    }
    return line("CPU", text);
}

std::string success_line(const Report& report) {
    std::string text = fmt::format(
        "{} of {} completed ({:.4g} %)",
        count_text(report.completed),
        count_text(report.asked),
        report.success_rate() * 100
    );
    if (report.connections != report.asked) {
        const char* noun = report.connections == 1 ? "connection" : "connections";
        text += fmt::format(", over {} {}", count_text(report.connections), noun);
    }
    return line(
        "sessions", text + fmt::format(", {} /s", three_digits(report.sessions_per_second()))
    );
}

std::string steps_line(const Report& report) {
    std::string text = fmt::format(
        "{} /s ({} in {})",
        count_text(static_cast<std::uint64_t>(std::llround(report.steps_per_second()))),
        count_text(report.steps),
        time_text(report.elapsed)
    );
    if (report.backlog > 0) {
        text += fmt::format(
            "; {} more were due and not sent by the end: it does not keep up",
            count_text(report.backlog)
        );
    }
    return line("steps", text);
}

}  // namespace

std::string time_text(Nanoseconds time) {
    const double microseconds = to_microseconds(time);
    if (microseconds < 999.5) {
        return three_digits(microseconds) + " us";
    }
    if (microseconds < 999.5e3) {
        return three_digits(microseconds / 1e3) + " ms";
    }
    return three_digits(microseconds / 1e6) + " s";
}

std::string count_text(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3; at -= 3) {
        digits.insert(at - 3, ",");
    }
    return digits;
}

std::string failures_text(const FailureTally& failures, std::string_view indent) {
    std::string text;
    for (const Failures& kind : failures.kinds()) {
        const std::string code = kind.code.empty() ? "" : " " + kind.code;
        text += fmt::format(
            "{}{} x {}{}: {}\n",
            indent,
            count_text(kind.count),
            name_of(kind.reason),
            cli::printable(code),
            cli::printable(kind.example)
        );
    }
    return text;
}

std::string report_text(const Report& report) {
    std::string text = fmt::format(
        "{}, {}\n",
        cli::printable(report.url),
        report.open_loop ? "open loop: latency counts from when a step was due"
                         : "closed loop: latency counts from sending"
    );
    text += steps_line(report) + success_line(report) + cpu_line(report);
    text += row("latency", "p50", "p90", "p99", "p99.9", "max", "count");
    text += row("connect", report.connect) + row("reset", report.reset) + row("step", report.step) +
            row("session", report.session);
    if (report.failures.count() > 0) {
        text += fmt::format("  {} failed\n", count_text(report.failures.count())) +
                failures_text(report.failures, "    ");
    }
    for (const std::string& problem : report.problems) {
        text += "  void: " + cli::printable(problem) + "\n";
    }
    return text;
}

}  // namespace openenv::bench
