#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace openenv {
inline namespace v0 {

/// One enumerator and its name in JSON.
template <class Enum>
struct EnumName {
    Enum value;
    std::string_view name;
};

/// The names of an enum's values. Say them in a function `enum_names` beside the enum:
///
///     enum class Color { red, blue };
///     constexpr auto enum_names(Color) {
///         return openenv::names<Color>({{Color::red, "red"}, {Color::blue, "blue"}});
///     }
///
/// For an enum inside a struct the function is a `friend` there.
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::array<EnumName<Enum>, N> names(const EnumName<Enum> (&list)[N]) {
    std::array<EnumName<Enum>, N> all{};
    for (std::size_t i = 0; i != N; ++i) {
        all[i] = list[i];
    }
    return all;
}

namespace model {

/// An enum with a function `enum_names` beside it.
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
    enum_names(value).size();
};

}  // namespace model
}  // namespace v0
}  // namespace openenv
