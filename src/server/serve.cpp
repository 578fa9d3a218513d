#include "server/checked_config.hpp"
#include "server/descriptor_limit.hpp"
#include "server/memory_keeper.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json_writer.hpp>
#include <openenv/base/log.hpp>
#include <openenv/server/serve.hpp>
#include <openenv/server/server.hpp>
#include <openenv/version.hpp>

#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <limits>
#include <optional>
#include <unistd.h>

namespace openenv {
inline namespace v0 {

namespace {

constexpr int kFailed = 1;
constexpr int kBadSetting = 2;
constexpr int kInterrupted = 130;

/// What the flags say; unset where a flag was not given.
struct Flags {
    std::optional<std::string> host;
    std::optional<std::uint16_t> port;
    std::optional<std::string> uds;
    std::optional<std::string> uds_mode;
    std::optional<std::size_t> max_concurrent_envs;
    std::optional<std::size_t> queue_depth;
    std::optional<double> queue_timeout;
    std::optional<std::size_t> max_sessions_per_peer;
    std::optional<std::string> mode;
    std::optional<std::size_t> threads;
    std::optional<std::size_t> busy_poll;
    std::optional<std::size_t> workers;
    std::optional<std::string> token;
    std::optional<double> call_timeout;
    std::optional<double> session_timeout;
    std::optional<double> ping_interval;
    std::optional<double> ping_timeout;
    std::optional<std::size_t> max_message_bytes;
    bool insecure = false;
    bool describe = false;
};

/// More I/O threads than this help nobody, and each costs memory.
constexpr std::uint64_t kHighestPort = 65535;
constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostWorkers = 65536;
constexpr std::uint64_t kMostOfAny = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 30;
constexpr double kLongestSeconds = 365.0 * 24 * 3600;

CLI::Validator count_from_to(std::uint64_t least, std::uint64_t most) {
    return CLI::Validator(
        [least, most](const std::string& text) {
            std::uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto [stopped, error] = std::from_chars(text.data(), end, value);
            const bool fits =
                error == std::errc() && stopped == end && value >= least && value <= most;
            return fits ? std::string()
                        : "'" + text + "' is not a whole number from " + std::to_string(least) +
                              " to " + std::to_string(most);
        },
        ""
    );
}

CLI::Validator count_up_to(std::uint64_t most) {
    return count_from_to(1, most);
}

/// Of a file, as chmod takes them.
std::optional<std::uint32_t> read_rights(const std::string& text) {
    std::uint32_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value, 8);
    const bool fits = error == std::errc() && stopped == end && value <= 0777;
    return fits ? std::optional(value) : std::nullopt;
}

CLI::Validator rights() {
    return CLI::Validator(
        [](const std::string& text) {
            return read_rights(text) ? std::string()
                                     : "'" + text + "' are no rights of a file, such as 600 or 660";
        },
        ""
    );
}

CLI::Validator seconds() {
    return CLI::Validator(
        [](const std::string& text) {
            double value = 0;
            const char* end = text.data() + text.size();
            const auto [stopped, error] = std::from_chars(text.data(), end, value);
            const bool fits =
                error == std::errc() && stopped == end && value > 0 && value <= kLongestSeconds;
            return fits ? std::string()
                        : "'" + text + "' is not a number of seconds above 0 and at most a year";
        },
        ""
    );
}

void declare(CLI::App& app, Flags& flags) {
    app.add_option(
        "--host",
        flags.host,
        "Address to listen on [127.0.0.1]; beyond loopback: --token or --insecure"
    );
    app.add_option("--port", flags.port, "Port [8000]; 0 lets the system choose")
        ->check(count_from_to(0, kHighestPort));
    app.add_option(
        "--uds",
        flags.uds,
        "File of a Unix domain socket to listen at; with --host or --port there as well, else "
        "instead"
    );
    app.add_option("--uds-mode", flags.uds_mode, "Rights of that file [600]")->check(rights());
    app.add_option(
           "--max-concurrent-envs",
           flags.max_concurrent_envs,
           "Sessions at once [1024, or 1 for an environment that takes one only]"
    )
        ->check(count_up_to(kMostOfAny));
    app.add_option(
           "--queue-depth",
           flags.queue_depth,
           "So many may wait for a session when every one is taken [0]"
    )
        ->check(count_from_to(0, kMostOfAny));
    app.add_option("--queue-timeout", flags.queue_timeout, "Seconds that one may wait there [30]")
        ->check(seconds());
    app.add_option(
           "--max-sessions-per-peer",
           flags.max_sessions_per_peer,
           "Sessions at once of one address, or of one user of a Unix socket [no limit]"
    )
        ->check(count_up_to(kMostOfAny));
    app.add_option("--mode", flags.mode, "simulation or production [simulation]");
    app.add_option("--threads", flags.threads, "I/O threads [one a core]")
        ->check(count_up_to(kMostThreads));
    app.add_option(
           "--busy-poll",
           flags.busy_poll,
           "Microseconds that an I/O thread looks for work before it sleeps [0]"
    )
        ->check(count_from_to(0, server::kLongestBusyPoll.count()));
    app.add_option("--workers", flags.workers, "At most so many threads for environment code [256]")
        ->check(count_up_to(kMostWorkers));
    app.add_flag("--insecure", flags.insecure, "Listen beyond loopback without a token");
    app.add_option(
        "--token",
        flags.token,
        "Clients must send 'Authorization: Bearer TOKEN' (better: OPENENV_TOKEN)"
    );
    app.add_option(
           "--call-timeout", flags.call_timeout, "Seconds for a reset, step or state [no limit]"
    )
        ->check(seconds());
    app.add_option(
           "--session-timeout",
           flags.session_timeout,
           "Seconds without a call until a session is closed [never]"
    )
        ->check(seconds());
    app.add_option(
           "--ping-interval", flags.ping_interval, "Seconds of silence until a peer is pinged [20]"
    )
        ->check(seconds());
    app.add_option(
           "--ping-timeout",
           flags.ping_timeout,
           "Seconds until a peer that does not answer is given up [20]"
    )
        ->check(seconds());
    app.add_option(
           "--max-message-bytes",
           flags.max_message_bytes,
           "Largest message or body taken [16777216]"
    )
        ->check(count_up_to(kLargestMessage));
    app.add_flag(
        "--describe", flags.describe, "Print one line of JSON about the environment and exit"
    );
    app.set_version_flag("--version", std::string("openenv (C++ edition) ") + kVersion);
}

std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::max(1.0, seconds * 1000.0)));
}

void apply(const Flags& flags, ServerConfig& config) {
    if (flags.max_concurrent_envs) {
        config.max_concurrent_envs = flags.max_concurrent_envs;
    }
    if (flags.uds) {
        config.uds = flags.uds;
        config.tcp = false;
    }
    if (flags.uds_mode) {
        config.uds_mode = read_rights(*flags.uds_mode).value_or(config.uds_mode);
    }
    config.tcp = config.tcp || flags.host || flags.port;
    config.queue_depth = flags.queue_depth.value_or(config.queue_depth);
    if (flags.queue_timeout) {
        config.queue_timeout = milliseconds(*flags.queue_timeout);
    }
    if (flags.max_sessions_per_peer) {
        config.max_sessions_per_peer = flags.max_sessions_per_peer;
    }
    config.host = flags.host.value_or(config.host);
    config.port = flags.port.value_or(config.port);
    config.threads = flags.threads.value_or(config.threads);
    if (flags.busy_poll) {
        config.busy_poll = std::chrono::microseconds(*flags.busy_poll);
    }
    config.workers = flags.workers.value_or(config.workers);
    config.max_message_bytes = flags.max_message_bytes.value_or(config.max_message_bytes);
    config.insecure = config.insecure || flags.insecure;
    if (flags.mode) {
        try {
            config.mode = parse_mode(*flags.mode);
        } catch (const ConfigError& error) {
            throw ConfigError(std::string("--mode: ") + error.what());
        }
    }
    if (flags.token) {
        config.token = flags.token;
    }
    if (flags.call_timeout) {
        config.call_timeout = milliseconds(*flags.call_timeout);
    }
    if (flags.session_timeout) {
        config.session_timeout = milliseconds(*flags.session_timeout);
    }
    if (flags.ping_interval) {
        config.ping_interval = milliseconds(*flags.ping_interval);
    }
    if (flags.ping_timeout) {
        config.ping_timeout = milliseconds(*flags.ping_timeout);
    }
}

std::string description(const EnvironmentEntry& entry) {
    std::string out;
    JsonWriter writer(out);
    writer.begin_object();
    writer.key("openenv");
    writer.string(kVersion);
    writer.key("name");
    writer.string(entry.name);
    writer.key("class_name");
    writer.string(entry.class_name);
    writer.key("execution");
    writer.string(name_of(entry.traits.execution));
    writer.key("supports_concurrent_sessions");
    writer.boolean(entry.traits.supports_concurrent_sessions);
    writer.end_object();
    return out;
}

/// Catches SIGINT and SIGTERM while it lives. By handlers, not by a blocked mask or SIG_IGN:
/// programs that an environment starts would inherit these, and ignore their own SIGTERM.
class StopSignals {
public:
    StopSignals() : signals_(loop_, SIGINT, SIGTERM) {
        std::signal(SIGPIPE, [](int) {});  // a log nobody reads any more is no reason to end
        signals_.async_wait([this](boost::system::error_code, int number) {
            received_ = number;
            loop_.stop();
        });
    }
    /// Blocking. Afterwards the default holds again: a second Ctrl-C ends a process that is
    /// stopping.
    int wait() {
        loop_.run();
        signals_.clear();
        return received_;
    }
    /// Runs in wait(), until a signal comes.
    [[nodiscard]] boost::asio::io_context& loop() noexcept { return loop_; }

private:
    boost::asio::io_context loop_;
    boost::asio::signal_set signals_;
    int received_ = 0;
};

int run(EnvironmentEntry entry, ServerConfig config) {
    StopSignals signals;
    const std::string name = entry.name;
    Server server(std::move(entry), std::move(config));
    server.start();
    for (const std::string& url : server.urls()) {
        std::cout << "listening on " << url << std::endl;
    }
    log(LogLevel::info, "serving " + name);
    server::MemoryKeeper memory(signals.loop(), server);
    const int received = signals.wait();
    log(LogLevel::info, received == SIGINT ? "interrupted; stopping" : "told to stop; stopping");
    if (server.stop() != 0) {
        return kFailed;  // not reached: the server's destructor ends the process
    }
    return received == SIGINT ? kInterrupted : 0;
}

/// A process may be started without its standard streams. Their numbers would go to sockets then,
/// and every line that is printed to whoever is connected.
void open_standard_streams() {
    for (;;) {
        const int descriptor = ::open("/dev/null", O_RDWR);
        if (descriptor > STDERR_FILENO) {
            ::close(descriptor);
        }
        if (descriptor < 0 || descriptor > STDERR_FILENO) {
            return;
        }
    }
}

/// Runs `serve`, which may throw, and turns what it throws into an exit code and a line on stderr.
template <class Serve>
int guarded(Serve serve) {
    open_standard_streams();
    try {
        return serve();
    } catch (const ConfigError& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return kBadSetting;
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return kFailed;
    }
}

/// Serves `entry` as the flags say, or describes it.
int serve_as_told(EnvironmentEntry entry, const Flags& flags, ServerConfig config) {
    if (flags.describe) {
        std::cout << description(entry) << std::endl;
        return 0;
    }
    apply_environment_variables(config);
    apply(flags, config);
    const std::size_t all =
        entry.traits.supports_concurrent_sessions ? server::kDefaultSessions : 1;
    server::raise_descriptor_limit(config.max_concurrent_envs.value_or(all));
    return run(std::move(entry), std::move(config));
}

/// The exit code when parsing ended the program, or nothing.
std::optional<int> parse(CLI::App& app, int argc, const char* const* argv) {
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kBadSetting;
    }
}

}  // namespace

int serve_main(EnvironmentEntry entry, int argc, char** argv, ServerConfig defaults) {
    CLI::App app("Serves the environment '" + entry.name + "' to OpenEnv clients.");
    app.footer(
        "Example:\n  " + std::string(argc > 0 ? argv[0] : "server") +
        " --port 8000 --max-concurrent-envs 64\nthen point any OpenEnv client at "
        "http://127.0.0.1:8000."
    );
    Flags flags;
    declare(app, flags);
    if (const std::optional<int> ended = parse(app, argc, argv)) {
        return *ended;
    }
    return guarded([&] { return serve_as_told(std::move(entry), flags, std::move(defaults)); });
}

int serve_chosen(
    const EnvironmentChoice& choice, int argc, const char* const* argv, ServerConfig defaults
) {
    CLI::App app("Serves an environment to OpenEnv clients.", "openenv serve");
    app.footer(choice.help);
    std::string target;
    app.add_option("environment", target, "Name of a built-in environment, or path of a program")
        ->required();
    Flags flags;
    declare(app, flags);
    if (const std::optional<int> ended = parse(app, argc, argv)) {
        return *ended;
    }
    std::vector<std::string> arguments(argv + 1, argv + argc);
    arguments.erase(std::find(arguments.begin(), arguments.end(), target));
    return guarded([&] {
        return serve_as_told(choice.find(target, arguments), flags, std::move(defaults));
    });
}

}  // namespace v0
}  // namespace openenv
