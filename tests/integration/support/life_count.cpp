#include "integration/support/life_count.hpp"

#include "support/hang_bound.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace openenv {
namespace test {

void LifeCount::built() {
    const std::scoped_lock lock(mutex_);
    ++built_;
    ++live_;
    most_live_ = std::max(most_live_, live_);
    changed_.notify_all();
}

void LifeCount::stepped() {
    const std::scoped_lock lock(mutex_);
    ++steps_;
    changed_.notify_all();
}

void LifeCount::closed(const void* instance, bool same_thread) {
    const std::scoped_lock lock(mutex_);
    ++closes_;
    const bool first = closed_.insert(instance).second;
    if (!first || !same_thread) {
        ++wrong_closes_;
    }
    changed_.notify_all();
}

void LifeCount::stopped() {
    const std::scoped_lock lock(mutex_);
    ++stops_;
    changed_.notify_all();
}

void LifeCount::destroyed(const void* instance) {
    const std::scoped_lock lock(mutex_);
    if (closed_.erase(instance) == 0) {
        ++wrong_closes_;
    }
    --live_;
    changed_.notify_all();
}

std::size_t LifeCount::live() const {
    const std::scoped_lock lock(mutex_);
    return live_;
}

std::size_t LifeCount::most_live() const {
    const std::scoped_lock lock(mutex_);
    return most_live_;
}

std::size_t LifeCount::built_so_far() const {
    const std::scoped_lock lock(mutex_);
    return built_;
}

std::size_t LifeCount::steps() const {
    const std::scoped_lock lock(mutex_);
    return steps_;
}

std::size_t LifeCount::closes() const {
    const std::scoped_lock lock(mutex_);
    return closes_;
}

std::size_t LifeCount::wrong_closes() const {
    const std::scoped_lock lock(mutex_);
    return wrong_closes_;
}

void LifeCount::wait_for_live(std::size_t count, std::chrono::seconds bound) {
    wait_until("instances that exist", bound, [&] { return live_ == count; });
}

void LifeCount::wait_for_steps(std::size_t count) {
    wait_until("steps", kHangBound, [&] { return steps_ >= count; });
}

void LifeCount::wait_for_closes(std::size_t count) {
    wait_until("closes", kHangBound, [&] { return closes_ >= count; });
}

void LifeCount::wait_for_stops(std::size_t count) {
    wait_until("steps that were told to stop", kHangBound, [&] { return stops_ >= count; });
}

template <class Condition>
void LifeCount::wait_until(const char* what, std::chrono::seconds bound, Condition condition) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, bound, condition)) {
        throw std::runtime_error(
            std::string("waited in vain for the number of ") + what + "; live " +
            std::to_string(live_) + ", steps " + std::to_string(steps_) + ", closes " +
            std::to_string(closes_) + ", stops " + std::to_string(stops_)
        );
    }
}

}  // namespace test
}  // namespace openenv
