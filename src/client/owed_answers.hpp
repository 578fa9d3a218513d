#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

/// The answers that a server still owes to calls which were given up, told by their ids.
/// Thread: the loop's.
class OwedAnswers {
public:
    [[nodiscard]] std::uint64_t next_id() noexcept { return ++last_id_; }
    /// Nobody waits for that answer any more. False: too many are owed already.
    [[nodiscard]] bool add(std::uint64_t id);
    [[nodiscard]] bool any() const noexcept { return !ids_.empty(); }
    /// Whether a message is one of them, which is owed no longer then.
    [[nodiscard]] bool take(std::string_view message);

private:
    /// What a server that does not come back makes a client hold, and itself.
    static constexpr std::size_t kMost = 32;

    std::uint64_t last_id_ = 0;
    std::vector<std::uint64_t> ids_;
};

}  // namespace client
}  // namespace v0
}  // namespace openenv
