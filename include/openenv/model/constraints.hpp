#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace model {

class Pattern;

/// A limit on a number, kept as the author wrote it; `none` when there is no limit.
struct Bound {
    enum class Kind : std::uint8_t { none, integer, real };
    Kind kind = Kind::none;
    std::int64_t integer = 0;
    double real = 0;
    bool is_whole = false;  ///< a real one that the author wrote as `integer`; schemas show that

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return kind != Kind::none; }
};

/// One of the values that a field may have: a text or an integer.
struct Choice {
    std::string_view text = {};
    std::int64_t integer = 0;
    bool is_text = false;

    constexpr Choice() = default;
    constexpr Choice(std::string_view value) : text(value), is_text(true) {}
    constexpr Choice(std::int64_t value) : integer(value) {}
};

inline constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// What a value must satisfy beyond its type. An optional passes its own on to what it holds.
struct Constraints {
    Bound ge = {};
    Bound gt = {};
    Bound le = {};
    Bound lt = {};
    Bound multiple_of = {};
    std::size_t min_length = 0;  ///< characters of a string, items of a list, entries of a map
    std::size_t max_length = kNoLimit;
    std::string_view pattern_text = {};
    const Pattern& (*pattern)() = nullptr;  ///< compiled at first use
    std::span<const Choice> choices = {};   ///< nothing: any value
    bool object_only = false;               ///< free-form JSON that must be an object
};

inline constexpr Constraints kUnconstrained = {};

}  // namespace model
}  // namespace v0
}  // namespace openenv
