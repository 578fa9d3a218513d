#pragma once

#include <openenv/env/entry.hpp>
#include <openenv/env/typed_environment.hpp>
#include <openenv/server/config.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {

/// The main of a program that serves one environment: reads variables and flags (`--help` lists
/// them), serves until SIGINT or SIGTERM, and returns the exit code: 0 after SIGTERM, 130 after
/// SIGINT, 1 when it cannot serve, 2 for a setting that cannot be. `--describe` prints one line of
/// JSON about the environment instead. Flags win over variables, these over `defaults`.
/// Blocking. Thread: the main thread, before it has started others.
int serve_main(EnvironmentEntry entry, int argc, char** argv, ServerConfig defaults = {});

/// What a program knows that carries several environments.
struct EnvironmentChoice {
    /// The entry called `target`. For what is none of its own it may become another program, with
    /// `arguments` (everything but the target), or throw ConfigError.
    std::function<
        EnvironmentEntry(const std::string& target, const std::vector<std::string>& arguments)>
        find;
    std::string help;  ///< what stands below the flags in `--help`
};

/// As serve_main, with the name of the environment as one more argument.
int serve_chosen(
    const EnvironmentChoice& choice, int argc, const char* const* argv, ServerConfig defaults = {}
);

/// Serves environment E under `name`. `make` builds each instance; by default E's constructor.
///   int main(int argc, char** argv) { return openenv::serve<Wordle>("wordle", argc, argv); }
template <class E>
int serve(
    std::string name,
    int argc,
    char** argv,
    std::function<std::unique_ptr<E>()> make = default_factory<E>(),
    ServerConfig defaults = {}
) {
    return serve_main(
        environment_entry<E>(std::move(name), std::move(make)), argc, argv, std::move(defaults)
    );
}

}  // namespace v0
}  // namespace openenv
