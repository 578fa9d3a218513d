#include "commands.hpp"
#include "exit_code.hpp"
#include "printable.hpp"
#include "run_command.hpp"
#include "schema_listing.hpp"
#include "server_flags.hpp"
#include "streams.hpp"

#include <openenv/client/env_client.hpp>

#include <CLI/CLI.hpp>

#include <iostream>

namespace {

int print_schema(const cli::ServerFlags& flags, bool as_json) {
    openenv::GenericEnvClient client(flags.url, cli::client_options(flags));
    const openenv::Json schemas = client.sync().schema();
    cli::print(
        std::cout, as_json ? cli::printable(schemas.dump()) + "\n" : cli::list_schemas(schemas)
    );
    return cli::kDone;
}

}  // namespace

int schema_command(int argc, const char* const* argv) {
    CLI::App app("Prints what the environment of a server takes and gives.", "openenv schema");
    app.footer(cli::kServerHelp);
    cli::ServerFlags flags;
    cli::declare(app, flags);
    bool as_json = false;
    app.add_flag("--json", as_json, "Print the JSON Schemas as served, in one line");
    return cli::run_command(app, argc, argv, [&] { return print_schema(flags, as_json); });
}
