#include "bench/comparison.hpp"
#include "bench/flags.hpp"
#include "bench/machine_limits.hpp"
#include "bench/progress_line.hpp"
#include "bench/report_text.hpp"
#include "bench/run.hpp"
#include "bench/study.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "run_command.hpp"
#include "streams.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <random>
#include <string>

namespace {

using namespace openenv::bench;

constexpr const char* kHelp =
    "Without --ramp, --rate and --storm the sessions are opened first and then step together; with "
    "one of\nthem each steps as soon as it is open. Without --step and --script the action is made "
    "up from the\nserver's schema. A session that fails is counted and not replaced.\n\n"
    "Examples:\n"
    "  openenv bench 127.0.0.1:8000 --sessions 64\n"
    "  openenv bench 127.0.0.1:8000 --sessions 200 --step-rate 10 --ramp 5 --duration 30\n"
    "  openenv bench --compare 127.0.0.1:8000 127.0.0.1:9000 --sessions 16\n"
    "  openenv bench 127.0.0.1:8000 --study      (of a server of 'sleeper')\n\n"
    "URL: http, https, ws, wss or no scheme; a path is kept. unix:/path/to/socket is a Unix domain "
    "socket.\nProxies are not used.\n"
    "Variables: OPENENV_TOKEN (sent as a bearer token).\n"
    "Exit codes: 0 every session did all it had to, 1 some did not, or the numbers are void, 2 "
    "wrong "
    "usage.";

/// Prints what was found, and says how the command ends.
template <class Found>
int tell(const Found& found, const std::string& text, bool as_json) {
    cli::print(std::cout, as_json ? to_json(found).dump() + "\n" : text);
    return found.good() ? cli::kDone : cli::kFailed;
}

Plan plan_with_process(const std::string& url, const Flags& flags, std::size_t which) {
    Plan plan = plan_for(url, flags);
    if (which < flags.server_pids.size()) {
        plan.server = flags.server_pids[which];
    }
    return plan;
}

int run_once(const Flags& flags) {
    const Plan plan = plan_with_process(flags.url, flags, 0);
    make_room_for(plan.connections());
    Report report;
    {
        ProgressLine line;
        report = run(plan, [&line](const Progress& progress) { line.show(progress); });
    }
    return tell(report, report_text(report), flags.json);
}

int run_comparison(const Flags& flags) {
    const Plan a = plan_with_process(flags.compare[0], flags, 0);
    const Plan b = plan_with_process(flags.compare[1], flags, 1);
    make_room_for(a.connections());
    const auto name_round = [&flags](std::size_t done) {
        return "round " + std::to_string(done + 1) + " of " + std::to_string(flags.rounds);
    };
    Comparison comparison;
    {
        ProgressLine line;
        line.say(name_round(0));
        comparison = compare(
            a,
            b,
            flags.rounds,
            flags.seed.value_or(std::random_device()()),
            [&line](const Progress& progress) { line.show(progress); },
            [&](const Comparison& so_far) { line.say(name_round(so_far.rounds.size())); }
        );
    }
    return tell(comparison, comparison_text(comparison), flags.json);
}

int run_study(const Flags& flags) {
    const StudyGrid grid{
        flags.study_sizes, flags.study_waits, flags.repetitions, flags.wait_action};
    const Plan plan = plan_with_process(flags.url, flags, 0);
    make_room_for(*std::max_element(grid.sizes.begin(), grid.sizes.end()));
    const std::size_t batches = grid.sizes.size() * grid.waits.size() * grid.repetitions;
    const auto name_batch = [batches](std::size_t done) {
        return "batch " + std::to_string(done + 1) + " of " + std::to_string(batches);
    };
    Study found;
    {
        ProgressLine line;
        line.say(name_batch(0));
        found = study(
            plan,
            grid,
            [&line](const Progress& progress) { line.show(progress); },
            [&](const Study& so_far) { line.say(name_batch(so_far.runs.size())); }
        );
    }
    return tell(found, study_text(found), flags.json);
}

int measure(const Flags& flags) {
    check(flags);
    if (!flags.compare.empty()) {
        return run_comparison(flags);
    }
    return flags.study ? run_study(flags) : run_once(flags);
}

}  // namespace

int bench_command(int argc, const char* const* argv) {
    CLI::App app(
        "Steps many sessions of a server at once and measures it: any OpenEnv server, of this "
        "edition or of the\nPython one.",
        "openenv bench"
    );
    app.footer(kHelp);
    Flags flags;
    declare(app, flags);
    return cli::run_command(app, argc, argv, [&flags] { return measure(flags); });
}
