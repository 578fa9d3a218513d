#include "bench/flags.hpp"

#include "bench/actions.hpp"
#include "bench/fetch.hpp"
#include "server_flags.hpp"
#include "wrong_usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string_view>

namespace openenv::bench {
namespace {

constexpr double kLongestSeconds = 365.0 * 24 * 3600;
constexpr double kMostPerSecond = 1e6;
constexpr double kMostSessions = 1e6;
constexpr double kLargestBatch = 16384;
constexpr double kMostSteps = 1e15;
constexpr double kLargestAnswer = 4e9;
constexpr double kWarmUp = 0.2;
constexpr double kPatience = 30;
constexpr double kStudyPatience = 120;

/// A number in a range; what CLI11 has takes NaN.
CLI::Validator within(double low, double high) {
    return CLI::Validator(
        [low, high](std::string& text) {
            double value = 0;
            const char* end = text.data() + text.size();
            const auto [stopped, error] = std::from_chars(text.data(), end, value);
            const bool fits =
                error == std::errc() && stopped == end && value >= low && value <= high;
            return fits ? std::string()
                        : fmt::format("'{}' is not a number from {} to {}", text, low, high);
        },
        ""
    );
}

CLI::Validator seconds() {
    return within(0, kLongestSeconds);
}

void declare_load(CLI::App& app, Flags& flags) {
    const std::string group = "Sessions";
    app.add_option("--sessions", flags.sessions, "Sessions to open [1]")
        ->check(within(1, kMostSessions))
        ->group(group);
    app.add_option(
           "--batch",
           flags.batch,
           "Carry N sessions on each connection (the extension 'batch'): one message steps them all"
    )
        ->check(within(1, kLargestBatch))
        ->group(group);
    app.add_option(
           "--connections", flags.connections, "With --batch: connections, instead of --sessions"
    )
        ->check(within(1, kMostSessions))
        ->group(group);
    auto* ramp = app.add_option("--ramp", flags.ramp, "Start the sessions evenly over SECONDS")
                     ->check(seconds())
                     ->group(group);
    auto* rate = app.add_option("--rate", flags.rate, "Start so many connections per second")
                     ->check(within(1e-6, kMostPerSecond))
                     ->group(group);
    auto* storm = app.add_flag("--storm", flags.storm, "Start all at once")->group(group);
    ramp->excludes(rate)->excludes(storm);
    rate->excludes(storm);
}

void declare_steps(CLI::App& app, Flags& flags) {
    const std::string group = "Steps";
    auto* duration = app.add_option("--duration", flags.duration, "Seconds to measure")
                         ->check(within(0.001, kLongestSeconds))
                         ->capture_default_str()
                         ->group(group);
    app.add_option("--steps", flags.steps, "Steps of each session, instead of --duration")
        ->check(within(0, kMostSteps))
        ->excludes(duration)
        ->group(group);
    app.add_option(
           "--warm-up", flags.warm_up, "Seconds of steps that do not count [0.2; 0 with --steps]"
    )
        ->check(seconds())
        ->group(group);
    auto* think = app.add_option("--think", flags.think, "Seconds between an answer and a step")
                      ->check(seconds())
                      ->group(group);
    app.add_option(
           "--step-rate,--rate-per-session",
           flags.step_rate,
           "Steps per second and session, whether answers come or not; latency counts from when a "
           "step was due"
    )
        ->check(within(1e-6, kMostPerSecond))
        ->excludes(think)
        ->group(group);
    app.add_flag("--episodes", flags.episodes, "Reset when an answer is done")->group(group);
    app.add_option("--reset", flags.reset, "Arguments of the reset, a JSON object or @FILE")
        ->group(group);
    auto* step =
        app.add_option("--step", flags.step, "The action, a JSON object or @FILE [made up]")
            ->group(group);
    auto* script =
        app.add_option("--script", flags.script, "A file of actions, one a line, in turn")
            ->excludes(step)
            ->group(group);
    app.add_option("--payload", flags.payload, "Fill the first text of the action with BYTES")
        ->check(within(0, kLargestAnswer))
        ->excludes(script)
        ->group(group);
    app.add_option("--expect", flags.expect, "Text that each answer to a step must hold")
        ->group(group);
}

void declare_server(CLI::App& app, Flags& flags) {
    const std::string group = "Server";
    app.add_option("--patience", flags.patience, "Seconds without an answer that are too many [30]")
        ->check(within(0.001, kLongestSeconds))
        ->group(group);
    app.add_option(
           "--server-pid",
           flags.server_pids,
           "Process of the server: its CPU time, threads and memory are measured; with --compare "
           "once for each"
    )
        ->check(within(1, 1 << 30))
        ->expected(1)
        ->take_all()
        ->group(group);
    app.add_flag(
           "--busy-poll",
           flags.busy_poll,
           "Look for answers without sleeping, so that being woken up is no part of the latency; "
           "takes a whole core"
    )
        ->group(group);
    app.add_flag("--insecure", flags.insecure, "Take any certificate")->group(group);
    app.add_option("--ca-file", flags.ca_file, "Certificates (PEM) to trust, not the system's")
        ->group(group);
    app.add_option("--max-answer-bytes", flags.max_answer_bytes, "The largest answer to take")
        ->check(within(1, kLargestAnswer))
        ->capture_default_str()
        ->group(group);
}

void declare_series(CLI::App& app, Flags& flags) {
    const std::string group = "Many runs";
    auto* compare =
        app.add_option("--compare", flags.compare, "Measure two servers in turn, and their ratio")
            ->expected(2)
            ->type_name("URL_A URL_B")
            ->group(group);
    app.add_option("--rounds", flags.rounds, "Rounds of --compare")
        ->check(within(1, 10000))
        ->capture_default_str()
        ->group(group);
    app.add_option("--seed", flags.seed, "Of the order within the rounds [random]")->group(group);
    app.add_flag(
           "--study",
           flags.study,
           "The grid of the published scaling study: sessions that all start at once, reset, take "
           "one step that waits, and close"
    )
        ->excludes(compare)
        ->group(group);
    app.add_option("--study-sizes", flags.study_sizes, "Sessions")
        ->check(within(1, kMostSessions))
        ->delimiter(',')
        ->capture_default_str()
        ->group(group);
    app.add_option("--study-waits", flags.study_waits, "Seconds that a step waits")
        ->check(seconds())
        ->delimiter(',')
        ->capture_default_str()
        ->group(group);
    app.add_option("--repetitions", flags.repetitions, "Of each cell")
        ->check(within(1, 1000))
        ->capture_default_str()
        ->group(group);
    app.add_option(
           "--wait-action", flags.wait_action, "The action that waits; % stands for the seconds"
    )
        ->capture_default_str()
        ->group(group);
}

void apply_starts(Plan& plan, const Flags& flags) {
    if (flags.ramp) {
        plan.starts = Starts::ramp(*flags.ramp, plan.connections());
    } else if (flags.rate) {
        plan.starts = Starts::rate(*flags.rate);
    } else if (flags.storm) {
        plan.starts = Starts::storm();
    }
}

void apply_sessions(Plan& plan, const Flags& flags) {
    plan.sessions = flags.sessions.value_or(1);
    plan.batch = flags.batch;
    if (flags.connections) {
        plan.sessions = *flags.connections * *flags.batch;
    } else if (flags.batch && !flags.sessions) {
        plan.sessions = *flags.batch;
    }
}

}  // namespace

void declare(CLI::App& app, Flags& flags) {
    app.add_option("URL", flags.url, "Address of the server, or unix:/path/to/socket");
    declare_load(app, flags);
    declare_steps(app, flags);
    declare_server(app, flags);
    declare_series(app, flags);
    app.add_flag("--json", flags.json, "Print one JSON object");
}

void check(const Flags& flags) {
    if (flags.url.empty() == flags.compare.empty()) {
        throw cli::WrongUsage("give one address, or two with --compare");
    }
    if (flags.connections && (!flags.batch || flags.sessions)) {
        throw cli::WrongUsage(
            "--connections goes with --batch and without --sessions; without --batch every session "
            "has a connection of its own"
        );
    }
    if (flags.steps && flags.warm_up && (flags.ramp || flags.rate || flags.storm)) {
        throw cli::WrongUsage(
            "with --steps and --ramp, --rate or --storm every step counts; leave --warm-up out"
        );
    }
    if (flags.server_pids.size() > (flags.compare.empty() ? 1U : 2U) ||
        (!flags.compare.empty() && flags.server_pids.size() == 1)) {
        throw cli::WrongUsage("--server-pid goes with each address once");
    }
    if (flags.study &&
        (flags.sessions || flags.batch || flags.ramp || flags.rate || flags.storm || flags.steps ||
         flags.step || flags.step_rate || flags.payload || !flags.script.empty())) {
        throw cli::WrongUsage(
            "--study says itself how many sessions do what; see --study-sizes, --study-waits, "
            "--repetitions and --wait-action"
        );
    }
}

Plan plan_for(const std::string& url, const Flags& flags) {
    Plan plan;
    plan.connection.url = net::parse_url(url);
    plan.connection.token = cli::token_from_environment();
    plan.connection.max_message_bytes = flags.max_answer_bytes;
    if (plan.connection.url.tls) {
        plan.connection.tls =
            std::make_shared<const TlsContext>(TlsOptions{flags.ca_file, flags.insecure});
    }
    if (flags.batch) {
        plan.connection.accept = "batch";
    }
    apply_sessions(plan, flags);
    apply_starts(plan, flags);
    plan.pace = flags.step_rate ? Pace::steady(*flags.step_rate) : Pace::thinking(flags.think);
    plan.steps = flags.steps;
    plan.duration = std::chrono::duration<double>(flags.duration);
    plan.warm_up = std::chrono::duration<double>(flags.warm_up.value_or(flags.steps ? 0 : kWarmUp));
    plan.patience = std::chrono::duration<double>(
        flags.patience.value_or(flags.study ? kStudyPatience : kPatience)
    );
    plan.episodes = flags.episodes;
    plan.busy_poll = flags.busy_poll;
    plan.expect = flags.expect;
    if (flags.reset) {
        plan.reset = object_argument("--reset", *flags.reset);
    }
    Actions given = read_actions(flags);
    plan.connection.address = choose_address(plan.connection.url, plan.patience);
    plan.actions = complete(std::move(given), flags, plan.connection, plan.patience);
    return plan;
}

}  // namespace openenv::bench
