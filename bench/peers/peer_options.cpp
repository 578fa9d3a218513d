#include "peer_options.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <sys/resource.h>

namespace openenv::bench {

std::optional<PeerOptions> read_options(
    const char* description, int argc, const char* const* argv
) {
    PeerOptions options;
    CLI::App app(description);
    app.add_option("--port", options.port, "port on 127.0.0.1; 0 lets the system choose");
    app.add_option("--threads", options.threads, "one event loop in each")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option(
           "--answers", options.answers, "directory with reset.json, step.json and state.json"
    )
        ->required();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        return std::nullopt;
    }
    return options;
}

void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void announce(std::uint16_t port) {
    std::printf("listening on http://127.0.0.1:%u\n", static_cast<unsigned>(port));
    std::fflush(stdout);
}

}  // namespace openenv::bench
