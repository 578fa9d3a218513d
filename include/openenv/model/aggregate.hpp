#pragma once

#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace model {

namespace detail {

/// Initialises any member. Only asked whether it could; it has a body because compilers warn about
/// functions without one for types that no other file can name.
struct AnyMember {
    template <class T>
    operator T() const noexcept {
        std::abort();
    }
};

/// Initialises only a base struct of Derived.
template <class Derived>
struct AnyBase {
    template <class T>
    requires(std::is_base_of_v<T, Derived> && !std::is_same_v<T, Derived>) constexpr operator T(
    ) const noexcept;
};

/// Initialises only a base struct of Derived that is a Wanted<Base, Derived>.
template <class Derived, template <class Base, class> class Wanted>
struct AnyBaseThat {
    template <class T>
    requires(
        std::is_base_of_v<T, Derived> && !std::is_same_v<T, Derived> && Wanted<T, Derived>::value
    ) constexpr
    operator T() const noexcept;
};

template <class T, class Part, class Indices>
inline constexpr bool takes = false;
template <class T, class Part, std::size_t... I>
inline constexpr bool takes<T, Part, std::index_sequence<I...>> = requires {
    T{(static_cast<void>(I), Part{})...};
};

template <class T, class Part, std::size_t Count = 0>
constexpr std::size_t count_parts() {
    if constexpr (takes<T, Part, std::make_index_sequence<Count + 1>>) {
        return count_parts<T, Part, Count + 1>();
    } else {
        return Count;
    }
}

template <class T, class Last, class Indices>
inline constexpr bool takes_behind_bases = false;
template <class T, class Last, std::size_t... I>
inline constexpr bool takes_behind_bases<T, Last, std::index_sequence<I...>> = requires {
    T{(static_cast<void>(I), AnyBase<T>{})..., Last{}};
};

template <class T, class Last, std::size_t... I>
constexpr bool has_part(std::index_sequence<I...>) {
    return (takes_behind_bases<T, Last, std::make_index_sequence<I>> || ...);
}

}  // namespace detail

/// True when T has a base struct for which `Wanted<Base, T>::value` holds. False when it cannot be
/// told: for a class with constructors.
template <class T, template <class Base, class> class Wanted>
constexpr bool has_base_that() {
    if constexpr (std::is_aggregate_v<T>) {
        constexpr std::size_t bases = detail::count_parts<T, detail::AnyBase<T>>();
        return detail::has_part<T, detail::AnyBaseThat<T, Wanted>>(std::make_index_sequence<bases>()
        );
    } else {
        return false;
    }
}

/// The number of data members that T itself declares, those of its base structs left out. 0 when
/// it cannot be told: for a class with constructors, or with members that nothing converts to.
template <class T>
constexpr std::size_t own_member_count() {
    if constexpr (std::is_aggregate_v<T>) {
        return detail::count_parts<T, detail::AnyMember>() -
               detail::count_parts<T, detail::AnyBase<T>>();
    } else {
        return 0;
    }
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
