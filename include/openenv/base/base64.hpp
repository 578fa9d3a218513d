#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {

/// Appends `data` in base64 (standard alphabet, padded).
void append_base64(std::string& out, std::span<const std::uint8_t> data);

/// The bytes that a base64 text stands for; nothing when it is none. Both alphabets are taken
/// (`+/` and `-_`), padding may be left out, blanks and line ends are passed over.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text);

}  // namespace v0
}  // namespace openenv
