#include "commands.hpp"
#include "exit_code.hpp"

#include <openenv/version.hpp>

#include <iostream>
#include <string_view>

namespace {

void print_help(std::ostream& out) {
    out << "openenv (C++ edition) " << openenv::kVersion
        << ": environments for training agents\n"
           "\n"
           "Usage: openenv COMMAND [flags]\n"
           "\n"
           "Commands:\n"
           "  serve NAME|PATH   serve an environment over HTTP and WebSocket\n"
           "  list              the environments that this program carries\n"
           "  schema URL        what the environment of a server takes and gives\n"
           "  step URL JSON...  take steps, and print the results as lines of JSON\n"
           "  play URL          play in an environment, field by field\n"
           "  bench URL         step many sessions of a server at once, and measure it\n"
           "\n"
           "Try it:\n"
           "  openenv list\n"
           "  openenv serve wordle --port 8000\n"
           "  openenv play 127.0.0.1:8000\n"
           "\n"
           "Then point any OpenEnv client at http://127.0.0.1:8000.\n"
           "'openenv COMMAND --help' tells more; 'openenv --version' prints the version.\n";
}

}  // namespace

int main(int argc, char** argv) {
    // Synchronised with C, std::cin takes an input that cannot be read for one that has ended.
    std::ios::sync_with_stdio(false);
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (command == "serve") {
        return serve_command(argc - 1, argv + 1);
    }
    if (command == "list") {
        return list_command(argc - 1, argv + 1);
    }
    if (command == "schema") {
        return schema_command(argc - 1, argv + 1);
    }
    if (command == "step") {
        return step_command(argc - 1, argv + 1);
    }
    if (command == "play") {
        return play_command(argc - 1, argv + 1);
    }
    if (command == "bench") {
        return bench_command(argc - 1, argv + 1);
    }
    if (command == "--version") {
        std::cout << "openenv (C++ edition) " << openenv::kVersion << "\n";
        return cli::kDone;
    }
    if (command == "--help" || command == "-h" || command == "help") {
        print_help(std::cout);
        return cli::kDone;
    }
    if (command.empty()) {
        print_help(std::cerr);
        return cli::kWrongUsage;
    }
    std::cerr << "error: there is no command '" << command
              << "'; the commands are serve, list, schema, step, play and bench (openenv --help)\n";
    return cli::kWrongUsage;
}
