#include "support/gate.hpp"

#include "support/hang_bound.hpp"

#include <stdexcept>

namespace openenv {
namespace test {

void Gate::pass() {
    std::unique_lock lock(mutex_);
    ++arrivals_;
    changed_.notify_all();
    if (!changed_.wait_for(lock, kHangBound, [this] { return open_; })) {
        throw std::runtime_error("nobody opened the gate");
    }
}

void Gate::wait_for_arrivals(std::size_t count) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kHangBound, [&] { return arrivals_ >= count; })) {
        throw std::runtime_error("nobody came to the gate");
    }
}

void Gate::open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    changed_.notify_all();
}

}  // namespace test
}  // namespace openenv
