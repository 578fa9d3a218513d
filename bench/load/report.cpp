#include "load/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace openenv::bench {
namespace {

double microseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::micro>(time).count();
}

double seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

/// The smallest latency that `share` of all steps did not exceed. `sorted` is not empty.
double percentile(const std::vector<std::chrono::nanoseconds>& sorted, double share) {
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
    return microseconds(sorted[std::min(rank, sorted.size() - 1)]);
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            out += '\\';
            out += character;
        } else if (byte < 0x20 || byte > 0x7e) {
            out += fmt::format("\\u{:04x}", byte);
        } else {
            out += character;
        }
    }
    return out + '"';
}

}  // namespace

void Report::add_error(std::string what) {
    ++errors;
    if (first_error.empty()) {
        first_error = std::move(what);
    }
}

void Report::add_connection_failure(std::string what) {
    ++connection_failures;
    if (first_error.empty()) {
        first_error = std::move(what);
    }
}

bool Report::good() const {
    const bool server_worked = !server_cpu || server_cpu->count() > 0;
    return errors == 0 && connection_failures == 0 && !latencies.empty() && server_worked;
}

std::string to_json(Report& report) {
    std::sort(report.latencies.begin(), report.latencies.end());
    const auto steps = static_cast<double>(report.latencies.size());
    const double elapsed = seconds(report.elapsed);
    std::string out = fmt::format(
        R"({{"good":{},"sessions":{},"steps":{},"seconds":{:.6f},"steps_per_second":{:.1f})",
        report.good(),
        report.sessions,
        report.latencies.size(),
        elapsed,
        elapsed > 0 ? steps / elapsed : 0.0
    );
    if (!report.latencies.empty()) {
        out += fmt::format(
            R"(,"p50_us":{:.2f},"p99_us":{:.2f},"p999_us":{:.2f},"max_us":{:.2f})",
            percentile(report.latencies, 0.5),
            percentile(report.latencies, 0.99),
            percentile(report.latencies, 0.999),
            microseconds(report.latencies.back())
        );
        out += fmt::format(
            R"(,"client_cpu_us_per_step":{:.3f})", microseconds(report.client_cpu) / steps
        );
    }
    if (report.server_cpu) {
        out += fmt::format(R"(,"server_cpu_seconds":{:.3f})", seconds(*report.server_cpu));
        if (!report.latencies.empty()) {
            out += fmt::format(
                R"(,"server_cpu_us_per_step":{:.3f})", microseconds(*report.server_cpu) / steps
            );
        }
    }
    if (report.server_resident_kib) {
        out += fmt::format(R"(,"server_resident_kib":{})", *report.server_resident_kib);
    }
    out += fmt::format(
        R"(,"errors":{},"connection_failures":{})", report.errors, report.connection_failures
    );
    if (!report.first_error.empty()) {
        out += fmt::format(R"(,"first_error":{})", quoted(report.first_error));
    }
    return out + '}';
}

}  // namespace openenv::bench
