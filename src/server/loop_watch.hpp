#pragma once

#include "server/shard_counters.hpp"

#include <openenv/net/sweeper.hpp>

#include <algorithm>
#include <chrono>
#include <optional>

namespace openenv {
inline namespace v0 {
namespace server {

/// Measures by how much the ticks of an io thread come too late: so long a message has to wait
/// there. Thread: that io thread.
class LoopWatch final : public net::Sweeper::Watched {
public:
    LoopWatch(net::Sweeper& sweeper, std::chrono::milliseconds tick, ShardCounters& counters)
        : tick_(tick), counters_(counters) {
        sweeper.add(*this);
    }

    void on_sweep(net::TimePoint now) override {
        using std::chrono::nanoseconds;
        counters_.last_tick.set(
            static_cast<std::uint64_t>(nanoseconds(now.time_since_epoch()).count())
        );
        if (last_) {
            const nanoseconds late = std::max(nanoseconds(now - *last_) - tick_, nanoseconds(0));
            counters_.loop_delays.record(late);
            const auto longest = counters_.longest_loop_delay.get();
            counters_.longest_loop_delay.set(
                std::max(longest, static_cast<std::uint64_t>(late.count()))
            );
        }
        last_ = now;
    }

private:
    const std::chrono::milliseconds tick_;
    ShardCounters& counters_;
    std::optional<net::TimePoint> last_;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
