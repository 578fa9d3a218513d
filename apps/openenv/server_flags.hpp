#pragma once

#include <openenv/client/options.hpp>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace cli {

/// The flags of every command that talks to a server.
struct ServerFlags {
    std::string url;
    std::optional<std::string> timeout;
    std::optional<std::string> connect_timeout;
    std::string ca_file;
};

/// Adds them, the address as the first positional argument.
void declare(CLI::App& app, ServerFlags& flags);

/// The settings of the client that they ask for. The token comes from OPENENV_TOKEN, because the
/// command line is for everybody on the machine to read.
/// Errors: WrongUsage.
[[nodiscard]] openenv::ClientOptions client_options(const ServerFlags& flags);

/// The token of OPENENV_TOKEN, empty where there is none.
/// Errors: WrongUsage for one that no header can hold.
[[nodiscard]] std::string token_from_environment();

/// What the help of these commands ends with.
extern const char* const kServerHelp;

}  // namespace cli
