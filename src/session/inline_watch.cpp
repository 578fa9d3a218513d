#include "session/inline_watch.hpp"

#include <ctime>
#include <sys/resource.h>

namespace openenv {
inline namespace v0 {
namespace session {

using std::chrono::steady_clock;

namespace {
/// No system takes a thread off its core for so many budgets.
constexpr int kBeyondDoubt = 100;
}  // namespace

InlineWatch::ThreadUsage InlineWatch::ThreadUsage::now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return {
        std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec), usage.ru_nvcsw};
}

InlineWatch::InlineWatch(EnvironmentHost& host, TimePoint now)
    : host_(host),
      closely_(host.suspected()),
      before_(closely_ ? ThreadUsage::now() : ThreadUsage{}),
      started_(now) {}

InlineWatch::TimePoint InlineWatch::end() {
    ended_ = true;
    const TimePoint now = steady_clock::now();
    const auto took = now - started_;
    const auto budget = host_.settings().inline_budget;
    if (!closely_) {
        if (took > kBeyondDoubt * budget) {
            host_.overran(std::chrono::duration_cast<std::chrono::microseconds>(took));
        } else if (took > budget) {
            host_.suspect();
        }
        return now;
    }
    if (took <= budget) {
        host_.behaved();
        return now;
    }
    const ThreadUsage after = ThreadUsage::now();
    const bool waited = after.waits != before_.waits;
    if (waited || after.cpu - before_.cpu > budget) {
        host_.overran(std::chrono::duration_cast<std::chrono::microseconds>(took));
    }
    return now;
}

}  // namespace session
}  // namespace v0
}  // namespace openenv
