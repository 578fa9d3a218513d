#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace openenv {
inline namespace v0 {

namespace model {

/// A text as a template argument.
template <std::size_t N>
struct FixedText {
    constexpr FixedText(const char (&text)[N]) { std::copy_n(text, N, characters); }
    [[nodiscard]] constexpr std::string_view view() const { return {characters, N - 1}; }
    char characters[N] = {};
};

}  // namespace model

/// A member that always has the same text, such as the one that tells the structs of a union
/// apart: `openenv::Literal<"jump"> kind;`.
template <model::FixedText Text>
struct Literal {
    static constexpr std::string_view value = Text.view();
    bool operator==(const Literal&) const = default;
};

}  // namespace v0
}  // namespace openenv
