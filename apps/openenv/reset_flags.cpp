#include "reset_flags.hpp"

#include "json_argument.hpp"
#include "wrong_usage.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>

namespace cli {

void declare(CLI::App& app, ResetFlags& flags) {
    app.add_option("--seed", flags.seed, "The seed of the episode, a whole number");
    app.add_option("--episode-id", flags.episode_id, "The name of the episode");
    app.add_option("--reset", flags.arguments, "Further arguments of the reset, a JSON object");
}

bool any_given(const ResetFlags& flags) {
    return flags.seed || flags.episode_id || flags.arguments;
}

openenv::Json reset_arguments(const ResetFlags& flags) {
    openenv::Json arguments =
        flags.arguments ? object_from("--reset", *flags.arguments) : openenv::Json::object();
    if (flags.seed) {
        std::int64_t seed = 0;
        const char* end = flags.seed->data() + flags.seed->size();
        const auto [stopped, error] = std::from_chars(flags.seed->data(), end, seed);
        if (error != std::errc() || stopped != end) {
            throw WrongUsage("--seed: '" + *flags.seed + "' is not a whole number");
        }
        arguments["seed"] = seed;
    }
    if (flags.episode_id) {
        arguments["episode_id"] = *flags.episode_id;
    }
    return arguments;
}

}  // namespace cli
