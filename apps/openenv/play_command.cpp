#include "commands.hpp"
#include "dialogue.hpp"
#include "exit_code.hpp"
#include "farewell.hpp"
#include "player.hpp"
#include "reset_flags.hpp"
#include "run_command.hpp"
#include "server_flags.hpp"
#include "streams.hpp"
#include "wrong_usage.hpp"

#include <openenv/client/env_client.hpp>

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>

namespace {

struct PlayFlags {
    cli::ServerFlags server;
    cli::ResetFlags reset;
    std::string script;
};

int play(const PlayFlags& flags) {
    const bool scripted = !flags.script.empty();
    std::ifstream file;
    if (scripted) {
        file.open(flags.script);
        if (!file) {
            throw cli::WrongUsage(
                "--script: " + flags.script + " cannot be read: " + std::strerror(errno)
            );
        }
    }
    const openenv::Json reset = cli::reset_arguments(flags.reset);
    openenv::GenericEnvClient client(flags.server.url, cli::client_options(flags.server));
    const cli::Farewell farewell(client);
    cli::Dialogue dialogue(
        scripted ? static_cast<std::istream&>(file) : std::cin,
        std::cout,
        !scripted && ::isatty(STDIN_FILENO) == 1,
        scripted ? flags.script : cli::kStandardInput
    );
    cli::Player player(client, client.sync().schema(), reset, dialogue, std::cout);
    player.play();
    return cli::kDone;
}

}  // namespace

int play_command(int argc, const char* const* argv) {
    CLI::App app("Plays in an environment: asks for the fields of each action.", "openenv play");
    app.footer(
        std::string("At a prompt ':help' tells what else can be typed. Where standard input is no "
                    "terminal, and with --script,\nits lines answer the questions, and each result "
                    "is printed as a line of JSON.\n\n") +
        cli::kServerHelp
    );
    PlayFlags flags;
    cli::declare(app, flags.server);
    cli::declare(app, flags.reset);
    app.add_option("--script", flags.script, "Take the lines of this file for what is typed");
    return cli::run_command(app, argc, argv, [&] { return play(flags); });
}
