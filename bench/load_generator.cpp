// Steps many sessions of an OpenEnv server at once and prints what it measured as one line of JSON.
// Any server of the protocol will do; bench/run.py compares two of them. Exit status 0 only when
// every session was opened, every reply was an observation, and the server did the work itself.

#include "load/report.hpp"
#include "load/run.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <sys/resource.h>

namespace {

/// Lets this process open as many sockets as the system permits at all.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/// A message from the command line: its text, or `@FILE` for one too long for there.
std::string message_from(const std::string& argument) {
    if (!argument.starts_with('@')) {
        return argument;
    }
    std::ifstream file(argument.substr(1), std::ios::binary);
    if (!file) {
        throw std::runtime_error("cannot read " + argument.substr(1));
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

int measure_as_told(int argc, char** argv) {
    openenv::bench::RunOptions options;
    double warm_up = options.warm_up.count();
    double duration = options.duration.count();
    long patience = options.patience.count();

    CLI::App app("Steps many sessions of an OpenEnv server and measures it.");
    app.add_option("--host", options.host, "IPv4 address of the server")->capture_default_str();
    app.add_option("--port", options.port, "port of the server")->required();
    app.add_option("--path", options.path, "path of the WebSocket")->capture_default_str();
    app.add_option("--sessions", options.sessions, "sessions to open, one step outstanding in each")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option(
           "--reset", options.reset, "message sent once per session, or @FILE; empty for none"
    )
        ->capture_default_str();
    app.add_option("--step", options.step, "message of every step, or @FILE")
        ->capture_default_str();
    app.add_option("--expect", options.expect, "text that each observation of a step must hold");
    app.add_option("--warm-up", warm_up, "seconds of steps that do not count")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    CLI::Option* seconds = app.add_option("--seconds", duration, "seconds to measure")
                               ->check(CLI::PositiveNumber)
                               ->capture_default_str();
    app.add_option("--steps", options.steps, "steps to measure per session, instead of --seconds")
        ->check(CLI::PositiveNumber)
        ->excludes(seconds);
    app.add_option("--patience", patience, "seconds without an answer that end the run")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option(
        "--server-pid", options.server, "process of the server: its CPU time is measured and proved"
    );
    CLI11_PARSE(app, argc, argv);
    options.warm_up = std::chrono::duration<double>(warm_up);
    options.duration = std::chrono::duration<double>(duration);
    options.patience = std::chrono::seconds(patience);

    options.reset = message_from(options.reset);
    options.step = message_from(options.step);

    raise_descriptor_limit();
    openenv::bench::Report report = openenv::bench::run(options);
    std::puts(to_json(report).c_str());
    return report.good() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return measure_as_told(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "load_generator: %s\n", error.what());
        return 2;
    }
}
