#pragma once

#include <cstddef>

namespace openenv {
inline namespace v0 {
namespace server {

/// Lets this process open as many files as the system permits it (ulimit -Hn), up to a million, and
/// logs it. For programs that serve and do nothing else: whoever embeds a server decides by
/// himself, since old code that waits by select() cannot live with large numbers.
/// A limit that is too low for so many sessions at once is logged as well.
void raise_descriptor_limit(std::size_t sessions);

}  // namespace server
}  // namespace v0
}  // namespace openenv
