#pragma once

#include "bench/connection.hpp"
#include "bench/pace.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace openenv::bench {

/// What a run does to which server.
struct Plan {
    ConnectionOptions connection = {};
    std::size_t sessions = 1;
    std::optional<std::size_t> batch = std::nullopt;  ///< sessions on each connection
    Starts starts = {};
    Pace pace = Pace::thinking(0);
    std::string reset = "{}";               ///< the data of a reset
    std::vector<std::string> actions = {};  ///< the data of steps, in turn; at least one
    std::string expect = {};                ///< text that every observation of a step must hold
    bool episodes = false;                  ///< resets when an answer is done
    std::chrono::duration<double> warm_up{0.2};
    std::chrono::duration<double> duration{2.0};        ///< of measuring, unless `steps` is given
    std::optional<std::uint64_t> steps = std::nullopt;  ///< to measure in each session
    std::chrono::duration<double> patience{30};         ///< without an answer: a timeout
    std::optional<pid_t> server = std::nullopt;         ///< whose CPU time and memory to measure
    bool busy_poll = false;                             ///< looks for answers without sleeping
    /// Leaves the latencies of sessions that did not complete out. Of one step for each session.
    bool completed_only = false;

    [[nodiscard]] std::size_t connections() const {
        const std::size_t each = batch.value_or(1);
        return (sessions + each - 1) / each;
    }
};

}  // namespace openenv::bench
