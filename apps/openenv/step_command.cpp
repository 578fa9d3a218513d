#include "commands.hpp"
#include "dialogue.hpp"
#include "exit_code.hpp"
#include "farewell.hpp"
#include "json_argument.hpp"
#include "reset_flags.hpp"
#include "result_text.hpp"
#include "run_command.hpp"
#include "server_flags.hpp"
#include "streams.hpp"
#include "wrong_usage.hpp"

#include <openenv/client/env_client.hpp>

#include <CLI/CLI.hpp>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

using openenv::Json;

/// Actions in order; nothing stands for those that come from standard input.
using Actions = std::vector<std::optional<Json>>;

struct StepFlags {
    cli::ServerFlags server;
    cli::ResetFlags reset;
    bool no_reset = false;
    bool state = false;
};

/// Errors: WrongUsage.
Actions read_actions(const std::vector<std::string>& arguments) {
    Actions actions;
    bool reads_input = false;
    for (const std::string& argument : arguments) {
        if (argument == "-" && reads_input) {
            throw cli::WrongUsage("'-' may be given once: standard input is read once");
        }
        if (argument == "-") {
            reads_input = true;
            actions.emplace_back();
        } else if (argument.starts_with('-')) {
            throw cli::WrongUsage("there is no flag '" + argument + "' (openenv step --help)");
        } else {
            const std::string where = "action " + std::to_string(actions.size() + 1);
            actions.emplace_back(cli::object_from(where, argument));
        }
    }
    return actions;
}

void take_step(openenv::GenericEnvClient& client, const Json& action) {
    cli::print(std::cout, cli::result_line(client.sync().step(action)));
}

/// One line, one step: what writes the lines may look at each result before the next.
void take_steps_of_input(openenv::GenericEnvClient& client) {
    cli::Dialogue input(std::cin, std::cout, false, cli::kStandardInput);
    while (const std::optional<std::string> line = input.ask("")) {
        if (line->find_first_not_of(" \t\r") != std::string::npos) {
            take_step(client, cli::object_from(input.place(), *line));
        }
    }
}

int take_steps(const StepFlags& flags, const std::vector<std::string>& arguments) {
    const Actions actions = read_actions(arguments);
    if (flags.no_reset && cli::any_given(flags.reset)) {
        throw cli::WrongUsage(
            "--no-reset begins no episode, so --seed, --episode-id and --reset cannot go with it; "
            "leave it out, or them"
        );
    }
    if (flags.no_reset && actions.empty() && !flags.state) {
        throw cli::WrongUsage(
            "with --no-reset and without an action there is nothing to do; give an action, or "
            "--state"
        );
    }
    const Json reset = cli::reset_arguments(flags.reset);
    openenv::GenericEnvClient client(flags.server.url, cli::client_options(flags.server));
    const cli::Farewell farewell(client);
    if (!flags.no_reset) {
        cli::print(std::cout, cli::result_line(client.sync().reset(reset)));
    }
    for (const std::optional<Json>& action : actions) {
        if (action) {
            take_step(client, *action);
        } else {
            take_steps_of_input(client);
        }
    }
    if (flags.state) {
        cli::print(std::cout, cli::state_line(client.sync().state()));
    }
    return cli::kDone;
}

}  // namespace

int step_command(int argc, const char* const* argv) {
    CLI::App app(
        "Begins an episode, takes the steps that are given, and prints a line of JSON for each "
        "result.\n\nJSON... are the actions, each an object; '-' reads further ones from standard "
        "input, a line each,\nand answers each before it reads the next.",
        "openenv step"
    );
    app.footer(
        std::string("Examples:\n"
                    "  openenv step 127.0.0.1:8000 '{\"message\":\"[crane]\"}' --seed 7\n"
                    "  my_agent | openenv step 127.0.0.1:8000 - --state\n\n") +
        cli::kServerHelp
    );
    StepFlags flags;
    cli::declare(app, flags.server);
    cli::declare(app, flags.reset);
    app.add_flag("--no-reset", flags.no_reset, "Step at once, without a reset before");
    app.add_flag("--state", flags.state, "Print the state at the end");
    // As extras: an option of many values would take a JSON array apart.
    app.allow_extras();
    return cli::run_command(app, argc, argv, [&] { return take_steps(flags, app.remaining()); });
}
