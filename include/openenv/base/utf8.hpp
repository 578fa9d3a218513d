#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {

/// The number of code points in `text`, which must be UTF-8; lone surrogates count as one each.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

/// How many bytes at the start of `text` are UTF-8. Lone surrogates are not UTF-8.
[[nodiscard]] std::size_t utf8_valid_prefix(std::string_view text) noexcept;

/// True when all of `text` is UTF-8.
[[nodiscard]] inline bool is_utf8(std::string_view text) noexcept {
    return utf8_valid_prefix(text) == text.size();
}

/// Appends one code point. A surrogate is stored as the three bytes it would have (WTF-8), which
/// `is_utf8` refuses and the JSON writer turns back into an escape.
void append_code_point(std::string& out, char32_t code_point);

}  // namespace v0
}  // namespace openenv
