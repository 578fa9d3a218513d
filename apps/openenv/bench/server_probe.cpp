#include "bench/server_probe.hpp"

#include "bench/process.hpp"

#include <algorithm>

namespace openenv::bench {

void ServerProbe::begin() {
    figures_ = {};
    figures_.process = process_;
    cpu_before_ = cpu_time_of(process_);
    look();
}

void ServerProbe::look() {
    figures_.threads = std::max(figures_.threads, threads_of(process_));
    figures_.resident_kib = std::max(figures_.resident_kib, resident_kib_of(process_));
}

ServerFigures ServerProbe::end() {
    look();
    figures_.cpu = cpu_time_of(process_) - cpu_before_;
    return figures_;
}

}  // namespace openenv::bench
