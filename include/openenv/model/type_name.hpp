#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace openenv {
inline namespace v0 {
namespace model {

namespace detail {

/// The spelling of T with its namespaces, as the compiler prints it.
template <class T>
constexpr std::string_view spelled() {
    // gcc: "... spelled() [with T = ns::Name; std::string_view = ...]"; clang: "... [T =
    // ns::Name]".
    const std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t from = text.find("T = ") + 4;
    std::size_t to = text.find(';', from);
    if (to == std::string_view::npos) {
        to = text.rfind(']');
    }
    return text.substr(from, to - from);
}

}  // namespace detail

/// The name of a type with its namespaces: "shop::Order".
template <class T>
inline constexpr std::string_view qualified_type_name = detail::spelled<T>();

/// The name of a type without its namespaces: "Order".
template <class T>
constexpr std::string_view short_type_name() {
    const std::string_view name = qualified_type_name<T>;
    std::size_t start = 0;
    int depth = 0;  // only separators outside of <...> and (...) part names
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
        if (name[i] == '<' || name[i] == '(' || name[i] == '{') {
            ++depth;
        } else if (name[i] == '>' || name[i] == ')' || name[i] == '}') {
            --depth;
        } else if (depth == 0 && name[i] == ':' && name[i + 1] == ':') {
            start = i + 2;
        }
    }
    return name.substr(start);
}

/// A struct with a `schema_title`, which is no data member of that name.
template <class T>
concept HasSchemaTitle = requires {
    std::string_view(T::schema_title);
    requires !std::is_member_object_pointer_v<decltype(&T::schema_title)>;
};

/// The title of a struct: its `schema_title` if it has its own, else its short type name.
template <class T>
constexpr std::string_view type_title() {
    if constexpr (HasSchemaTitle<T>) {
        return T::schema_title;
    } else {
        return short_type_name<T>();
    }
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
