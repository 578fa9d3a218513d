#include "bench/comparison.hpp"

#include "bench/report_text.hpp"
#include "printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>

namespace openenv::bench {
namespace {

/// A figure that is compared: its key, its heading, and where it stands.
struct Compared {
    const char* key;
    const char* heading;
    std::optional<double> Ratio::*ratio;
};

constexpr std::array<Compared, 4> kCompared{{
    {"steps_per_second", "steps/s", &Ratio::steps_per_second},
    {"p50_us", "step p50", &Ratio::p50},
    {"p99_us", "step p99", &Ratio::p99},
    {"server_cpu_us_per_step", "server CPU/step", &Ratio::server_cpu_per_step},
}};

std::optional<double> divided(double a, double b) {
    if (b == 0) {
        return std::nullopt;
    }
    return a / b;
}

std::optional<double> divided(Nanoseconds a, Nanoseconds b) {
    return divided(static_cast<double>(a.count()), static_cast<double>(b.count()));
}

std::vector<double> all_of(const Comparison& comparison, std::optional<double> Ratio::*figure) {
    std::vector<double> values;
    for (const Round& round : comparison.rounds) {
        if (const std::optional<double> value = ratio_of(round.a, round.b).*figure) {
            values.push_back(*value);
        }
    }
    return values;
}

Json ratio_json(const Ratio& ratio) {
    Json out = Json::object();
    for (const Compared& compared : kCompared) {
        if (const std::optional<double> value = ratio.*(compared.ratio)) {
            out[compared.key] = rounded(*value, 1e-6);
        }
    }
    return out;
}

using Figure = double (*)(const Report&);

double median_of(const Comparison& comparison, Report Round::*side, Figure figure) {
    std::vector<double> values;
    for (const Round& round : comparison.rounds) {
        values.push_back(figure(round.*side));
    }
    return spread_of(std::move(values)).median;
}

std::string side_line(
    const Comparison& comparison, std::string_view name, const std::string& url, Report Round::*side
) {
    const double steps =
        median_of(comparison, side, [](const Report& report) { return report.steps_per_second(); });
    const auto latency = [&](Figure figure) {
        const double nanoseconds = median_of(comparison, side, figure);
        return time_text(Nanoseconds(static_cast<std::int64_t>(nanoseconds)));
    };
    return fmt::format(
        "  {}  {} steps/s, step p50 {}, p99 {}: {}\n",
        name,
        count_text(static_cast<std::uint64_t>(steps)),
        latency([](const Report& report) {
            return static_cast<double>(report.step.at_share(0.5).count());
        }),
        latency([](const Report& report) {
            return static_cast<double>(report.step.at_share(0.99).count());
        }),
        cli::printable(url)
    );
}

std::string trouble_text(const Round& round, std::size_t number) {
    std::string text;
    for (const Report* report : {&round.a, &round.b}) {
        if (!report->good()) {
            text += fmt::format("\nround {} is void: {}", number, report_text(*report));
        }
    }
    return text;
}

}  // namespace

Ratio ratio_of(const Report& a, const Report& b) {
    Ratio ratio;
    ratio.steps_per_second = divided(a.steps_per_second(), b.steps_per_second());
    ratio.p50 = divided(a.step.at_share(0.5), b.step.at_share(0.5));
    ratio.p99 = divided(a.step.at_share(0.99), b.step.at_share(0.99));
    if (a.server && b.server) {
        ratio.server_cpu_per_step = divided(
            a.microseconds_per_step(a.server->cpu).value_or(0),
            b.microseconds_per_step(b.server->cpu).value_or(0)
        );
    }
    return ratio;
}

bool Comparison::good() const {
    return std::all_of(rounds.begin(), rounds.end(), [](const Round& round) {
        return round.a.good() && round.b.good();
    });
}

Comparison compare(
    const Plan& a,
    const Plan& b,
    std::size_t rounds,
    std::uint64_t seed,
    const Watcher& watcher,
    const RoundWatcher& round_watcher
) {
    Comparison comparison;
    comparison.a = a.connection.url.websocket_text();
    comparison.b = b.connection.url.websocket_text();
    comparison.seed = seed;
    std::mt19937_64 random(seed);
    for (std::size_t number = 0; number < rounds; ++number) {
        Round round;
        round.a_first = random() % 2 == 0;
        if (round.a_first) {
            round.a = run(a, watcher);
            round.b = run(b, watcher);
        } else {
            round.b = run(b, watcher);
            round.a = run(a, watcher);
        }
        comparison.rounds.push_back(std::move(round));
        round_watcher(comparison);
    }
    return comparison;
}

Json to_json(const Comparison& comparison) {
    Json out = Json::object();
    out["compare"] = Json::object({{"a", comparison.a}, {"b", comparison.b}});
    out["good"] = comparison.good();
    out["seed"] = comparison.seed;
    out["rounds"] = Json::array();
    for (const Round& round : comparison.rounds) {
        Json entry = Json::object({{"round", out["rounds"].size() + 1}});
        entry["first"] = round.a_first ? "a" : "b";
        entry["a"] = to_json(round.a);
        entry["b"] = to_json(round.b);
        entry["ratio"] = ratio_json(ratio_of(round.a, round.b));
        out["rounds"].push_back(std::move(entry));
    }
    out["ratio"] = Json::object();
    for (const Compared& compared : kCompared) {
        const std::vector<double> values = all_of(comparison, compared.ratio);
        if (!values.empty()) {
            out["ratio"][compared.key] = to_json(spread_of(values));
        }
    }
    return out;
}

std::string comparison_text(const Comparison& comparison) {
    std::string text = fmt::format(
        "medians of {} rounds; ratios A / B within a round: median (lowest-highest)\n",
        comparison.rounds.size()
    );
    text += side_line(comparison, "A", comparison.a, &Round::a);
    text += side_line(comparison, "B", comparison.b, &Round::b);
    for (const Compared& compared : kCompared) {
        const std::vector<double> values = all_of(comparison, compared.ratio);
        if (!values.empty()) {
            const Spread spread = spread_of(values);
            text += fmt::format(
                "  {:<16}{:.3g} ({:.3g}-{:.3g})\n",
                compared.heading,
                spread.median,
                spread.lowest,
                spread.highest
            );
        }
    }
    for (std::size_t number = 0; number < comparison.rounds.size(); ++number) {
        text += trouble_text(comparison.rounds[number], number + 1);
    }
    return text;
}

}  // namespace openenv::bench
