#include "commands.hpp"

#include <openenv/version.hpp>

#include <cstring>
#include <iostream>
#include <string_view>

namespace {

constexpr int kWrongUsage = 2;

void print_help(std::ostream& out) {
    out << "openenv (C++ edition) " << openenv::kVersion
        << ": environments for training agents\n"
           "\n"
           "Usage: openenv COMMAND [flags]\n"
           "\n"
           "Commands:\n"
           "  serve NAME|PATH   serve an environment over HTTP and WebSocket\n"
           "  list              the environments that this program carries\n"
           "\n"
           "Try it:\n"
           "  openenv list\n"
           "  openenv serve wordle --port 8000\n"
           "  curl -s http://127.0.0.1:8000/health\n"
           "\n"
           "Then point any OpenEnv client at http://127.0.0.1:8000.\n"
           "'openenv COMMAND --help' tells more; 'openenv --version' prints the version.\n";
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view command = argc > 1 ? argv[1] : "";
    if (command == "serve") {
        return serve_command(argc - 1, argv + 1);
    }
    if (command == "list") {
        return list_command(argc - 1, argv + 1);
    }
    if (command == "--version") {
        std::cout << "openenv (C++ edition) " << openenv::kVersion << "\n";
        return 0;
    }
    if (command == "--help" || command == "-h" || command == "help") {
        print_help(std::cout);
        return 0;
    }
    if (command.empty()) {
        print_help(std::cerr);
        return kWrongUsage;
    }
    std::cerr << "error: there is no command '" << command
              << "'; the commands are serve and list (openenv --help)\n";
    return kWrongUsage;
}
