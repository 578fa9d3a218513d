#include "server_flags.hpp"

#include "wrong_usage.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace cli {

namespace {

constexpr double kLongestSeconds = 365.0 * 24 * 3600;
/// For the goodbye to a server that does not answer any more.
constexpr std::chrono::seconds kCloseTimeout{2};

std::chrono::milliseconds read_seconds(const char* flag, const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end || !(value > 0 && value <= kLongestSeconds)) {
        throw WrongUsage(
            std::string(flag) + ": '" + text +
            "' is not a number of seconds above 0 and at most a year"
        );
    }
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::max(1.0, value * 1000.0)));
}

}  // namespace

std::string token_from_environment() {
    const char* variable = std::getenv("OPENENV_TOKEN");
    std::string token = variable == nullptr ? "" : variable;
    const bool fits = std::all_of(token.begin(), token.end(), [](unsigned char c) {
        return c >= 0x20 && c != 0x7F;
    });
    if (!fits) {
        throw WrongUsage(
            "OPENENV_TOKEN holds a line break or another control character; was it read with the "
            "end of its line?"
        );
    }
    return token;
}

const char* const kServerHelp =
    "URL: http, https, ws, wss or no scheme, where a path is kept; or unix:/path/of.sock.\n"
    "Variables: OPENENV_TOKEN (sent as a bearer token), ws_proxy, wss_proxy, https_proxy, "
    "http_proxy,\nno_proxy.\n"
    "Exit codes: 0 done, 1 the server, the environment or the output failed, 2 wrong usage. After "
    "Ctrl-C\nthe shell shows 130, and 141 when what reads the output has gone.";

void declare(CLI::App& app, ServerFlags& flags) {
    app.add_option("URL", flags.url, "Address of the server, such as http://127.0.0.1:8000")
        ->required();
    app.add_option("--timeout", flags.timeout, "Seconds for one call, connecting included [60]");
    app.add_option("--connect-timeout", flags.connect_timeout, "Seconds for connecting [10]");
    app.add_option(
        "--ca-file", flags.ca_file, "Certificates (PEM) to trust instead of the system's"
    );
}

openenv::ClientOptions client_options(const ServerFlags& flags) {
    openenv::ClientOptions options;
    if (flags.timeout) {
        options.message_timeout = read_seconds("--timeout", *flags.timeout);
    }
    if (flags.connect_timeout) {
        options.connect_timeout = read_seconds("--connect-timeout", *flags.connect_timeout);
    }
    options.close_timeout = kCloseTimeout;
    options.token = token_from_environment();
    options.ca_file = flags.ca_file;
    return options;
}

}  // namespace cli
