#pragma once

#include "bench/report.hpp"

#include <sys/types.h>

namespace openenv::bench {

/// Watches the process of a server while a run is measured.
/// Errors: std::runtime_error when there is no such process (any more).
class ServerProbe {
public:
    explicit ServerProbe(pid_t process) : process_(process) {}

    void begin();
    /// Looks at threads and memory.
    void look();
    [[nodiscard]] ServerFigures end();

private:
    pid_t process_;
    Nanoseconds cpu_before_{0};
    ServerFigures figures_;
};

}  // namespace openenv::bench
