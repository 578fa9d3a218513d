#pragma once

#include "wordle/wordle_client.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wordle_demo {

/// One game as it went.
struct Episode {
    std::int64_t seed = 0;
    std::size_t guesses = 0;
    std::string last_guess;
    bool finished = false;  ///< the environment said so
    bool solved = false;
    double reward = 0.0;
};

/// All that one session did.
struct SessionResult {
    std::vector<Episode> episodes;
    std::vector<std::chrono::nanoseconds> step_times;  ///< from sending a step to its answer
    std::optional<std::string> failure;                ///< why the session ended early, if it did
};

/// What one session is to do: `episodes` games with the seeds first_seed, first_seed + 1, ...
struct SessionPlan {
    std::size_t episodes = 1;
    std::int64_t first_seed = 0;
};

/// Plays whole games in one session, each until the environment says it is done, then closes the
/// client. The player knows the language and what it has read, nothing else.
/// Errors: none thrown; a failure is told in the result.  Blocking.
[[nodiscard]] SessionResult play_session(wordle::WordleClient& client, const SessionPlan& plan);

}  // namespace wordle_demo
