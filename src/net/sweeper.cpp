#include <openenv/net/sweeper.hpp>

#include <iterator>

namespace openenv {
inline namespace v0 {
namespace net {

Sweeper::Sweeper(IoExecutor executor, std::chrono::milliseconds tick)
    : timer_(executor), tick_(tick) {}

void Sweeper::wait() {
    timer_.expires_after(tick_);
    timer_.async_wait([this, self = std::weak_ptr<void>(alive_)](boost::system::error_code error) {
        if (error || self.expired()) {
            return;  // destroyed after the tick was due, which no cancelling can take back
        }
        const TimePoint now = std::chrono::steady_clock::now();
        for (auto entry = watched_.begin(); entry != watched_.end();) {
            Watched& watched = *entry;
            ++entry;
            watched.on_sweep(now);
        }
        wait();
    });
}

}  // namespace net
}  // namespace v0
}  // namespace openenv
