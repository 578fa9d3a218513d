#pragma once

#include <string>
#include <string_view>

namespace cli {

/// `text` with everything escaped that a terminal might obey instead of showing: control
/// characters, marks that turn the direction of writing, and bytes that are no UTF-8. What a
/// server sends is printed in no other way. JSON stays the same JSON.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, but the lines of the text stay lines, each behind `indent`. Ends with a line break.
[[nodiscard]] std::string printable_lines(std::string_view text, std::string_view indent);

/// At most `most` characters of `text`, and a mark where some are missing.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace cli
