#include "builtin_environments.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "run_command.hpp"

#include <openenv/base/json.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace {

openenv::Json to_json(const std::vector<openenv::EnvironmentEntry>& entries) {
    openenv::Json list = openenv::Json::array();
    for (const openenv::EnvironmentEntry& entry : entries) {
        list.push_back(openenv::Json::object(
            {{"name", entry.name},
             {"class_name", entry.class_name},
             {"summary", entry.summary},
             {"execution", openenv::name_of(entry.traits.execution)},
             {"supports_concurrent_sessions", entry.traits.supports_concurrent_sessions}}
        ));
    }
    return list;
}

void print_table(const std::vector<openenv::EnvironmentEntry>& entries) {
    std::size_t longest = 0;
    for (const openenv::EnvironmentEntry& entry : entries) {
        longest = std::max(longest, entry.name.size());
    }
    const int name_width = static_cast<int>(longest) + 2;
    std::cout << std::left << std::setw(name_width) << "NAME" << std::setw(14) << "RUNS"
              << std::setw(10) << "SESSIONS"
              << "SUMMARY\n";
    for (const openenv::EnvironmentEntry& entry : entries) {
        std::cout << std::left << std::setw(name_width) << entry.name << std::setw(14)
                  << openenv::name_of(entry.traits.execution) << std::setw(10)
                  << (entry.traits.supports_concurrent_sessions ? "many" : "one") << entry.summary
                  << "\n";
    }
    std::cout << "\nServe one with: openenv serve NAME\n";
}

}  // namespace

int list_command(int argc, const char* const* argv) {
    CLI::App app("Lists the environments that this program carries.", "openenv list");
    bool json = false;
    app.add_flag("--json", json, "Print a JSON array");
    return cli::run_command(app, argc, argv, [&json] {
        const auto entries = builtin_environments();
        if (json) {
            std::cout << to_json(entries).dump() << "\n";
        } else {
            print_table(entries);
        }
        return cli::kDone;
    });
}
