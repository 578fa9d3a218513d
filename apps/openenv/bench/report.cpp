#include "bench/report.hpp"

#include <cmath>
#include <utility>

namespace openenv::bench {
namespace {

double per_second(std::uint64_t count, Nanoseconds time) {
    return time.count() > 0 ? static_cast<double>(count) / to_seconds(time) : 0;
}

Json cpu_json(const Report& report, Nanoseconds cpu) {
    Json figures = Json::object({{"cpu_seconds", rounded(to_seconds(cpu), 1e-6)}});
    if (const std::optional<double> cost = report.microseconds_per_step(cpu)) {
        figures["cpu_us_per_step"] = rounded(*cost);
    }
    return figures;
}

Json server_json(const Report& report, const ServerFigures& server) {
    Json figures = cpu_json(report, server.cpu);
    figures["pid"] = server.process;
    figures["threads"] = server.threads;
    figures["resident_kib"] = server.resident_kib;
    return figures;
}

Json problems_json(const std::vector<std::string>& problems) {
    Json list = Json::array();
    for (const std::string& problem : problems) {
        list.push_back(problem);
    }
    return list;
}

}  // namespace

double rounded(double value, double to) {
    // Divided by a whole number: 123456 / 1000 prints as 123.456, 123456 * 0.001 does not.
    const double parts = std::round(1 / to);
    return std::round(value * parts) / parts;
}

bool Report::good() const {
    return asked > 0 && completed == asked && failures.count() == 0 && problems.empty();
}

double Report::success_rate() const {
    return asked == 0 ? 0 : static_cast<double>(completed) / static_cast<double>(asked);
}

double Report::steps_per_second() const {
    return per_second(steps, elapsed);
}

double Report::sessions_per_second() const {
    return per_second(completed, whole);
}

std::optional<double> Report::microseconds_per_step(Nanoseconds cpu) const {
    if (steps == 0) {
        return std::nullopt;
    }
    return to_microseconds(cpu) / static_cast<double>(steps);
}

Json to_json(const Histogram& histogram) {
    Json figures = Json::object({{"count", histogram.count()}});
    if (histogram.count() == 0) {
        return figures;
    }
    const auto add = [&figures](std::string_view name, Nanoseconds time) {
        figures[name] = rounded(to_microseconds(time));
    };
    add("mean", histogram.mean());
    add("p50", histogram.at_share(0.5));
    add("p90", histogram.at_share(0.9));
    add("p99", histogram.at_share(0.99));
    add("p999", histogram.at_share(0.999));
    add("max", histogram.longest());
    return figures;
}

Json to_json(const FailureTally& failures) {
    Json list = Json::array();
    for (const Failures& kind : failures.kinds()) {
        Json entry = Json::object({{"reason", name_of(kind.reason)}});
        if (!kind.code.empty()) {
            entry["code"] = kind.code;
        }
        entry["count"] = kind.count;
        entry["example"] = kind.example;
        list.push_back(std::move(entry));
    }
    return list;
}

Json to_json(const Report& report) {
    Json out = Json::object({{"url", report.url}, {"good", report.good()}});
    out["sessions"] = Json::object(
        {{"asked", report.asked},
         {"opened", report.opened},
         {"completed", report.completed},
         {"success_rate", rounded(report.success_rate(), 1e-6)}}
    );
    out["connections"] = report.connections;
    out["loop"] = report.open_loop ? "open" : "closed";
    out["latency_from"] = report.open_loop ? "due" : "sent";
    out["steps"] = report.steps;
    out["episodes"] = report.episodes;
    out["seconds"] = rounded(to_seconds(report.elapsed), 1e-6);
    out["steps_per_second"] = rounded(report.steps_per_second());
    out["sessions_per_second"] = rounded(report.sessions_per_second());
    out["backlog_steps"] = report.backlog;
    out["latency_us"] = Json::object(
        {{"connect", to_json(report.connect)},
         {"reset", to_json(report.reset)},
         {"step", to_json(report.step)},
         {"session", to_json(report.session)}}
    );
    out["client"] = cpu_json(report, report.client_cpu);
    if (report.server) {
        out["server"] = server_json(report, *report.server);
    }
    out["failures"] = to_json(report.failures);
    out["problems"] = problems_json(report.problems);
    return out;
}

}  // namespace openenv::bench
