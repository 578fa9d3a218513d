#pragma once

#include "server/descriptor.hpp"

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// The whole HTTP answer to who cannot be served now, with `detail` as its reason.
[[nodiscard]] std::string refusal_text(std::string_view detail);

/// Sends that answer to a connection just accepted, whatever it is about to ask, and ends it. Takes
/// no time to speak of: what cannot be sent at once is not sent.
void refuse_politely(Descriptor connection, std::string_view answer);

}  // namespace server
}  // namespace v0
}  // namespace openenv
