#pragma once

#include "bench/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace openenv::bench {

/// What was typed after `openenv bench`.
struct Flags {
    std::string url = {};
    std::vector<std::string> compare = {};  ///< two addresses
    bool study = false;
    bool json = false;

    std::optional<std::size_t> sessions = {};
    std::optional<std::size_t> batch = {};
    std::optional<std::size_t> connections = {};
    std::optional<double> ramp = {};
    std::optional<double> rate = {};
    bool storm = false;
    double duration = 2;
    std::optional<std::uint64_t> steps = {};
    std::optional<double> warm_up = {};

    std::optional<std::string> reset = {};
    std::optional<std::string> step = {};
    std::string script = {};
    std::optional<std::size_t> payload = {};
    std::string expect = {};
    bool episodes = false;
    bool busy_poll = false;
    double think = 0;
    std::optional<double> step_rate = {};

    std::optional<double> patience = {};
    std::vector<int> server_pids = {};
    bool insecure = false;
    std::string ca_file = {};
    std::size_t max_answer_bytes = 100U << 20U;

    std::size_t rounds = 5;
    std::optional<std::uint64_t> seed = {};

    std::vector<std::size_t> study_sizes = {32, 128, 512, 2048, 4096, 8192, 16384};
    std::vector<double> study_waits = {1, 5, 10};
    std::size_t repetitions = 3;
    std::string wait_action = R"({"seconds":%})";
};

/// Adds them all.
void declare(CLI::App& app, Flags& flags);

/// Says what does not go together.
/// Errors: WrongUsage.
void check(const Flags& flags);

/// What to do to the server at `url`. Looks its address up, and asks it for its schema where the
/// actions are not given.
/// Errors: WrongUsage, ConfigError for a setting; Exception, Trouble when the server cannot be
/// asked. Blocking: for the server's answer, as long as the patience.
[[nodiscard]] Plan plan_for(const std::string& url, const Flags& flags);

}  // namespace openenv::bench
