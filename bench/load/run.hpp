#pragma once

#include "load/report.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace openenv::bench {

/// What to do to which server.
struct RunOptions {
    std::string host = "127.0.0.1";  ///< an IPv4 address
    std::uint16_t port = 0;
    std::string path = "/ws";
    std::size_t sessions = 1;
    std::string reset = R"({"type":"reset"})";  ///< sent once by each session; empty: not sent
    std::string step = R"({"type":"step","data":{"message":"hello"}})";
    std::string expect = {};  ///< text that every observation of a step must hold
    std::chrono::duration<double> warm_up{0.2};
    std::chrono::duration<double> duration{2.0};        ///< of measuring, unless `steps` is given
    std::optional<std::uint64_t> steps = std::nullopt;  ///< to measure in each session
    std::chrono::seconds patience{30};                  ///< without any answer: the run has failed
    std::optional<pid_t> server = std::nullopt;         ///< whose CPU time and memory to measure
};

/// Opens the sessions, steps each of them as fast as it answers, closes them, and reports.
/// Each session has one step outstanding at any time.
/// Errors: std::runtime_error for a server that is not the owner of the port or an address that is
/// none; everything else is counted in the report.
/// Blocking: for the whole run, on the calling thread alone.
[[nodiscard]] Report run(const RunOptions& options);

}  // namespace openenv::bench
