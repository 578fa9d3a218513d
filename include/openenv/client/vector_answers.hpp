#pragma once

#include <openenv/base/error.hpp>
#include <openenv/client/step_result.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace client {

/// A good answer of one session. Views into `frame`, which may hold those of others as well.
struct SessionAnswer {
    std::shared_ptr<const std::string> frame;
    std::string_view data;
    ResultParts parts;
};

/// What has become of one session's question.
struct SessionOutcome {
    std::size_t session = 0;
    SessionAnswer answer = {};               ///< empty when there is an error
    std::optional<SessionAnswer> last = {};  ///< of the step before an automatic reset
    std::optional<Error> error = {};
};

using SessionOutcomes = std::vector<SessionOutcome>;

/// How an episode has ended.
struct EpisodeEnd {
    bool terminated = false;
    bool truncated = false;
};

/// Whether an answer says that the episode is over.
[[nodiscard]] bool tells_end(const ResultParts& parts);
/// How, of one that does: what `terminated` and `truncated` of the observation say, or else of the
/// metadata; an end that nobody explains is a termination.
[[nodiscard]] EpisodeEnd end_of(const ResultParts& parts);

}  // namespace client
}  // namespace v0
}  // namespace openenv
