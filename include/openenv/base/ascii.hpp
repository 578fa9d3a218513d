#pragma once

#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {

/// The text with A to Z in small letters; every other byte as it is, whatever the locale.
[[nodiscard]] std::string ascii_lower(std::string_view text);
/// The same the other way round.
[[nodiscard]] std::string ascii_upper(std::string_view text);

}  // namespace v0
}  // namespace openenv
