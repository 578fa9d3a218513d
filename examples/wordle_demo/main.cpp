#include "play.hpp"
#include "report.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Options {
    std::string url = "http://127.0.0.1:8000";
    std::size_t sessions = 4;
    std::size_t episodes = 5;
    std::int64_t seed = 1;
    bool summary_only = false;
};

std::vector<wordle_demo::SessionResult> play_all(const Options& options) {
    openenv::ClientOptions settings;
    settings.loop = std::make_shared<openenv::ClientLoop>();  // one thread for all connections
    std::vector<wordle_demo::SessionResult> results(options.sessions);
    std::vector<std::jthread> players;
    for (std::size_t i = 0; i < options.sessions; ++i) {
        auto client = std::make_unique<wordle::WordleClient>(options.url, settings);
        const wordle_demo::SessionPlan plan{
            .episodes = options.episodes,
            .first_seed = options.seed + static_cast<std::int64_t>(i * options.episodes)};
        // Each thread writes its own element, and the vector stays as it is until all have ended.
        players.emplace_back([client = std::move(client), plan, &result = results[i]] {
            result = wordle_demo::play_session(*client, plan);
        });
    }
    players.clear();  // joins
    return results;
}

int run(const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    const auto results = play_all(options);
    const auto elapsed = std::chrono::steady_clock::now() - start;
    const auto totals = wordle_demo::total(results, options.sessions * options.episodes);
    if (!options.summary_only) {
        wordle_demo::print_episodes(results);
    }
    wordle_demo::print_summary(results, totals, elapsed);
    return totals.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Plays Wordle against an OpenEnv server, several sessions at once");
    app.add_option("--url", options.url, "The server")->capture_default_str();
    app.add_option("--sessions", options.sessions, "Sessions at the same time")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--episodes", options.episodes, "Games per session")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--seed", options.seed, "Seed of the first game; the others count up")
        ->capture_default_str();
    app.add_flag("--summary-only", options.summary_only, "Do not print every game");
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wordle_demo: %s\n", error.what());
        return 2;
    }
}
