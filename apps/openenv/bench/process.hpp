#pragma once

#include <openenv/net/url.hpp>

#include <chrono>
#include <cstdint>
#include <sys/types.h>

namespace openenv::bench {

/// CPU time that a process and all its threads have used, those that ended included.
/// The clock of the process is exact; /proc/PID/stat counts in steps of 10 ms, in which a short run
/// against a fast server looks like no work at all.
/// Errors: std::runtime_error when there is no such process.
[[nodiscard]] std::chrono::nanoseconds cpu_time_of(pid_t process);

/// Memory that a process holds now. Units: KiB.
[[nodiscard]] std::uint64_t resident_kib_of(pid_t process);

/// Threads that a process has now; 0 when it has gone.
[[nodiscard]] std::uint64_t threads_of(pid_t process);

/// Whether the process itself holds the socket that listens at this file, or on this port on any
/// address of its own network.
/// A benchmark that talks to a left-over server measures nothing.
/// Errors: std::runtime_error when there is no such process, or it is not ours to look at.
[[nodiscard]] bool listens_at(pid_t process, const net::Url& url);

}  // namespace openenv::bench
