#pragma once

#include <optional>
#include <string_view>

namespace openenv {
inline namespace v0 {

/// The double nearest to a decimal text such as "-1.5e3"; infinite or zero when the text is out of
/// range. Nothing when the text is anything else. Takes neither a plus sign in front nor blanks.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text) noexcept;

}  // namespace v0
}  // namespace openenv
