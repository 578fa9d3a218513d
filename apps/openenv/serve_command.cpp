#include "builtin_environments.hpp"
#include "commands.hpp"
#include "described_program.hpp"

#include <openenv/base/error.hpp>
#include <openenv/server/serve.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

std::string builtin_names() {
    std::string names;
    for (const openenv::EnvironmentEntry& entry : builtin_environments()) {
        names += (names.empty() ? "" : ", ") + entry.name;
    }
    return names;
}

/// Replaces this process by the program, which reads the same flags.
[[noreturn]] void become(const std::string& path, const std::vector<std::string>& arguments) {
    require_environment_program(path);
    std::vector<std::string> words{path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    ::execv(path.c_str(), argv.data());
    throw openenv::ConfigError(path + " cannot be run: " + std::strerror(errno));
}

openenv::EnvironmentEntry find(
    const std::string& target, const std::vector<std::string>& arguments
) {
    for (openenv::EnvironmentEntry& entry : builtin_environments()) {
        if (entry.name == target) {
            return std::move(entry);
        }
    }
    if (!std::filesystem::exists(target)) {
        throw openenv::ConfigError(
            "no built-in environment and no file is called '" + target + "'. Built in: " +
            builtin_names() + ". A program of your own is named by its path, such as ./my_env"
        );
    }
    become(target.find('/') == std::string::npos ? "./" + target : target, arguments);
}

}  // namespace

int serve_command(int argc, const char* const* argv) {
    const openenv::EnvironmentChoice choice{
        find,
        "Built in: " + builtin_names() +
            ".\n\nExamples:\n"
            "  openenv serve wordle                        on http://127.0.0.1:8000\n"
            "  openenv serve echo --port 0                 on a port that the system chooses\n"
            "  openenv serve ./my_env --call-timeout 30    a program made with openenv::serve\n"
            "  openenv serve echo --uds /tmp/echo.sock     for this machine only\n"
            "  OPENENV_TOKEN=... openenv serve wordle --host 0.0.0.0\n\n"
            "Variables, each below its flag: MAX_CONCURRENT_ENVS, OPENENV_MODE, OPENENV_HOST,\n"
            "OPENENV_UDS, OPENENV_INSECURE, OPENENV_TOKEN, OPENENV_QUEUE_DEPTH,\n"
            "OPENENV_QUEUE_TIMEOUT, OPENENV_MAX_SESSIONS_PER_PEER, ENV_README_PATH,\n"
            "OPENENV_LOG_LEVEL, OPENENV_LOG_FORMAT.\n"
            "Exit codes: 0 stopped by SIGTERM, 1 could not serve, 2 wrong usage,\n"
            "3 code of an environment never came back, 130 interrupted."};
    return openenv::serve_chosen(choice, argc, argv);
}
