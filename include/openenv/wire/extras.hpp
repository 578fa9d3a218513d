#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace wire {

/// Sessions of a `batch` connection are numbered from 0 to one less.
inline constexpr std::uint32_t kBatchSessions = 65536;
/// What one message may ask for at most.
inline constexpr std::size_t kBatchEntries = 16384;
/// The largest integer that every JSON reader keeps exactly; ids go no further.
inline constexpr std::uint64_t kLargestId = (std::uint64_t{1} << 53) - 1;
inline constexpr std::size_t kLongestId = 128;  ///< bytes of an id that is a text

/// What extensions say about one call. Views of the message; empty where nothing was said.
struct CallExtras {
    std::string_view id;              ///< as JSON: 7 or "a7"
    std::optional<double> timeout_s;  ///< above 0, for the call from the message's arrival
    std::string_view extra;           ///< a JSON object: arguments beside the action
};

/// One call of a message that makes many.
struct BatchEntry {
    std::uint32_t session = 0;
    std::string_view data;  ///< as of a frame of its own; empty for state and close
    CallExtras call;
};

/// When answers to batches are sent: as soon as `min` are ready, or no more are under way, or
/// `within_s` has passed since the first was ready; at most `max` in a frame.
struct BatchFormer {
    std::size_t min = std::numeric_limits<std::size_t>::max();
    std::size_t max = std::numeric_limits<std::size_t>::max();
    std::optional<double> within_s;
};

/// What a message says in `x`.
struct Extras {
    CallExtras call;
    std::optional<std::vector<BatchEntry>> batch;
    std::optional<BatchFormer> former;
};

}  // namespace wire
}  // namespace v0
}  // namespace openenv
