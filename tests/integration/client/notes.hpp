#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace openenv {
namespace test {

/// What happened, in order. Thread: any.
class Notes {
public:
    void add(std::string what) {
        const std::scoped_lock lock(mutex_);
        all_.push_back(std::move(what));
    }
    [[nodiscard]] std::vector<std::string> all() const {
        const std::scoped_lock lock(mutex_);
        return all_;
    }
    [[nodiscard]] bool has(const std::string& what) const {
        const std::scoped_lock lock(mutex_);
        return std::find(all_.begin(), all_.end(), what) != all_.end();
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> all_;
};

}  // namespace test
}  // namespace openenv
