#include "bench/actions.hpp"

#include "bench/example_action.hpp"
#include "bench/fetch.hpp"
#include "json_argument.hpp"
#include "streams.hpp"
#include "wrong_usage.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <optional>

namespace openenv::bench {
namespace {

std::ifstream opened(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw cli::WrongUsage("'" + path + "' cannot be read");
    }
    return file;
}

Json object_from_argument(const char* flag, const std::string& text) {
    if (!text.starts_with('@')) {
        return cli::object_from(flag, text);
    }
    std::ifstream file = opened(text.substr(1));
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    return cli::object_from(fmt::format("{} {}", flag, text), content);
}

Actions read_script(const std::string& path) {
    std::ifstream file = opened(path);
    Actions actions;
    std::size_t number = 0;
    while (const std::optional<std::string> line = cli::read_line(file, path)) {
        ++number;
        if (line->find_first_not_of(" \t\r") != std::string::npos) {
            actions.push_back(cli::object_from(fmt::format("{}, line {}", path, number), *line));
        }
    }
    if (actions.empty()) {
        throw cli::WrongUsage("'" + path + "' holds no actions");
    }
    return actions;
}

}  // namespace

std::string object_argument(const char* flag, const std::string& text) {
    return object_from_argument(flag, text).dump();
}

Actions read_actions(const Flags& flags) {
    if (flags.step) {
        return {object_from_argument("--step", *flags.step)};
    }
    return flags.script.empty() ? Actions{} : read_script(flags.script);
}

std::vector<std::string> complete(
    Actions given,
    const Flags& flags,
    const ConnectionOptions& server,
    std::chrono::duration<double> patience
) {
    const bool takes_no_steps = flags.steps && *flags.steps == 0;
    if (flags.study || takes_no_steps) {
        return {"{}"};
    }
    if (given.empty() || flags.payload) {
        const Json schema = fetch_schema(server, patience)["action"];
        if (given.empty()) {
            given.push_back(example_action(schema));
        }
        if (flags.payload) {
            given[0][text_field_of(schema)] = std::string(*flags.payload, 'x');
        }
    }
    std::vector<std::string> texts;
    for (const Json& action : given) {
        texts.push_back(action.dump());
    }
    return texts;
}

std::string waiting_action(const std::string& text, double seconds) {
    std::string filled = text;
    const std::size_t place = filled.find('%');
    if (place == std::string::npos) {
        throw cli::WrongUsage("--wait-action: no % says where the seconds stand");
    }
    filled.replace(place, 1, fmt::format("{}", seconds));
    return cli::object_from("--wait-action", filled).dump();
}

}  // namespace openenv::bench
