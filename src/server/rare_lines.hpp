#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace server {

/// Keeps a line that a storm of peers would write thousands of times a second to one a second.
/// Thread: one.
class RareLines {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// Whether the line may be written now; those that may not are counted.
    [[nodiscard]] bool may_speak(TimePoint now) noexcept {
        if (now < next_) {
            ++unsaid_;
            return false;
        }
        next_ = now + std::chrono::seconds(1);
        return true;
    }

    /// " (and 12 more before)", or nothing: what was kept back since the last line.
    [[nodiscard]] std::string unsaid() {
        const std::uint64_t count = std::exchange(unsaid_, 0);
        return count == 0 ? std::string() : " (and " + std::to_string(count) + " more before)";
    }

private:
    TimePoint next_{};
    std::uint64_t unsaid_ = 0;
};

}  // namespace server
}  // namespace v0
}  // namespace openenv
