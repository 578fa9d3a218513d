#include "bench/study.hpp"

#include "bench/actions.hpp"
#include "bench/report_text.hpp"
#include "bench/spread.hpp"
#include "printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace openenv::bench {
namespace {

/// What the study calls a batch that was carried.
constexpr double kEnoughSuccess = 0.95;

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

StudyCell cell_of(const std::vector<const StudyRun*>& runs) {
    std::vector<double> success, rate, p50, p99;
    for (const StudyRun* run : runs) {
        success.push_back(run->report.success_rate());
        rate.push_back(run->report.sessions_per_second());
        p50.push_back(to_seconds(run->report.session.at_share(0.5)));
        p99.push_back(to_seconds(run->report.session.at_share(0.99)));
    }
    StudyCell cell;
    cell.wait = runs[0]->wait;
    cell.size = runs[0]->size;
    cell.success_rate = mean_of(success);
    cell.requests_per_second = spread_of(rate).median;
    cell.p50_seconds = spread_of(p50).median;
    cell.p99_seconds = spread_of(p99).median;
    return cell;
}

Json run_json(const StudyRun& run) {
    const Json report = to_json(run.report);
    Json out = Json::object(
        {{"wait_s", run.wait},
         {"size", run.size},
         {"repetition", run.repetition},
         {"success_rate", report["sessions"]["success_rate"]},
         {"requests_per_second", report["sessions_per_second"]},
         {"seconds", rounded(to_seconds(run.report.whole), 1e-6)}}
    );
    for (const char* part : {"latency_us", "client", "server", "failures", "problems"}) {
        if (const Json* member = report.find(part)) {
            out[part] = *member;
        }
    }
    return out;
}

Json cell_json(const StudyCell& cell) {
    return Json::object(
        {{"wait_s", cell.wait},
         {"size", cell.size},
         {"success_rate", rounded(cell.success_rate, 1e-6)},
         {"requests_per_second", rounded(cell.requests_per_second)},
         {"p50_s", rounded(cell.p50_seconds, 1e-6)},
         {"p99_s", rounded(cell.p99_seconds, 1e-6)}}
    );
}

}  // namespace

std::vector<StudyCell> Study::cells() const {
    std::vector<StudyCell> cells;
    for (const double wait : grid.waits) {
        for (const std::size_t size : grid.sizes) {
            std::vector<const StudyRun*> chosen;
            for (const StudyRun& run : runs) {
                if (run.wait == wait && run.size == size) {
                    chosen.push_back(&run);
                }
            }
            if (!chosen.empty()) {
                cells.push_back(cell_of(chosen));
            }
        }
    }
    return cells;
}

std::optional<std::size_t> Study::max_batch(double wait) const {
    std::optional<std::size_t> largest;
    for (const StudyCell& cell : cells()) {
        if (cell.wait == wait && cell.success_rate >= kEnoughSuccess) {
            largest = std::max(largest.value_or(0), cell.size);
        }
    }
    return largest;
}

bool Study::good() const {
    return std::all_of(runs.begin(), runs.end(), [](const StudyRun& run) {
        return run.report.good();
    });
}

Study study(
    const Plan& plan,
    const StudyGrid& grid,
    const Watcher& watcher,
    const StudyWatcher& study_watcher
) {
    Study study;
    study.url = plan.connection.url.websocket_text();
    study.grid = grid;
    study.patience = plan.patience.count();
    Plan batch = plan;
    batch.starts = Starts::storm();
    batch.pace = Pace::thinking(0);
    batch.steps = 1;
    batch.completed_only = true;
    for (const double wait : grid.waits) {
        batch.actions = {waiting_action(grid.wait_action, wait)};
        for (const std::size_t size : grid.sizes) {
            batch.sessions = size;
            for (std::size_t number = 1; number <= grid.repetitions; ++number) {
                study.runs.push_back({wait, size, number, run(batch, watcher)});
                study_watcher(study);
            }
        }
    }
    return study;
}

Json to_json(const Study& study) {
    Json out = Json::object();
    out["study"] = Json::object(
        {{"url", study.url},
         {"action", study.grid.wait_action},
         {"timeout_s", study.patience},
         {"repetitions", study.grid.repetitions}}
    );
    out["good"] = study.good();
    out["runs"] = Json::array();
    for (const StudyRun& run : study.runs) {
        out["runs"].push_back(run_json(run));
    }
    out["cells"] = Json::array();
    for (const StudyCell& cell : study.cells()) {
        out["cells"].push_back(cell_json(cell));
    }
    out["max_batch"] = Json::array();
    for (const double wait : study.grid.waits) {
        const std::optional<std::size_t> size = study.max_batch(wait);
        out["max_batch"].push_back(
            Json::object({{"wait_s", wait}, {"size", size ? Json(*size) : Json()}})
        );
    }
    return out;
}

std::string study_text(const Study& study) {
    std::string text = fmt::format(
        "{}, one request = connect, reset, one step, close; medians of {} repetitions\n"
        "  {:>8}{:>9}{:>10}{:>12}{:>11}{:>11}\n",
        cli::printable(study.url),
        study.grid.repetitions,
        "wait",
        "batch",
        "success",
        "requests/s",
        "p50",
        "p99"
    );
    for (const StudyCell& cell : study.cells()) {
        text += fmt::format(
            "  {:>6g} s{:>9}{:>8.2f} %{:>12.1f}{:>9.2f} s{:>9.2f} s\n",
            cell.wait,
            count_text(cell.size),
            cell.success_rate * 100,
            cell.requests_per_second,
            cell.p50_seconds,
            cell.p99_seconds
        );
    }
    for (const double wait : study.grid.waits) {
        const std::optional<std::size_t> size = study.max_batch(wait);
        text += fmt::format(
            "  largest batch with 95 % success at {:g} s: {}\n",
            wait,
            size ? count_text(*size) : "none"
        );
    }
    FailureTally failures;
    for (const StudyRun& run : study.runs) {
        for (const Failures& kind : run.report.failures.kinds()) {
            failures.add(Trouble(kind.reason, kind.example, kind.code), kind.count);
        }
        for (const std::string& problem : run.report.problems) {
            text += "  void: " + cli::printable(problem) + "\n";
        }
    }
    return text + failures_text(failures, "  ");
}

}  // namespace openenv::bench
