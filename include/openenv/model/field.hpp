#pragma once

#include <openenv/base/json.hpp>
#include <openenv/model/constraints.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace openenv {
inline namespace v0 {

/// What happens to keys that a struct does not describe. Chosen by a member
/// `static constexpr auto extra_fields = openenv::ExtraFields::forbid;`.
enum class ExtraFields : std::uint8_t {
    ignore,  ///< passed over; what a struct does that says nothing
    forbid,  ///< an error each; what actions do
    allow,   ///< kept in the Json member that `static constexpr auto extra_member = &T::x;` names
};

namespace model {

/// Whether a key may be missing, and what is published about its default.
enum class Presence : std::uint8_t { required, published_default, hidden_default };

struct NoCheck {};

/// Called where a bound or a choice is larger than std::int64_t holds. That it is no constant
/// expression makes the mistake one of compilation, with this name in the message.
[[noreturn]] inline void bounds_and_choices_must_fit_int64() {
    throw std::out_of_range("bounds and choices must fit std::int64_t");
}

/// What a check may return: nothing, or the text of what is wrong, if anything.
template <class Result>
concept CheckResult =
    std::is_void_v<Result> || std::same_as<std::remove_cvref_t<Result>, std::optional<std::string>>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// What a field's constraints apply to: the type itself, or what an optional holds.
template <class T>
struct Held {
    using type = T;
};
template <class T>
struct Held<std::optional<T>> {
    using type = T;
};

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;
template <class T>
concept Sized = !std::same_as<T, Json> && requires(const T& value) {
    value.size();
};

/// The description of one data member. Made by `openenv::field`; each call returns a changed copy.
template <class Class, class Member, std::size_t ChoiceCount = 0, class Check = NoCheck>
struct Field {
    using ClassType = Class;
    using MemberType = Member;
    using HeldType = typename Held<Member>::type;
    static constexpr std::size_t kChoiceCount = ChoiceCount;

    std::string_view name;
    Member Class::*member = nullptr;
    std::string_view text = {};
    Presence presence = is_optional<Member> ? Presence::published_default : Presence::required;
    Constraints limits = {};
    Choice choice_list[ChoiceCount == 0 ? 1 : ChoiceCount] = {};  // one unused without choices
    Check own_check = {};

    /// The text that schema, web form and tool listing show for the field.
    [[nodiscard]] constexpr Field describe(std::string_view description) const {
        Field changed = *this;
        changed.text = description;
        return changed;
    }
    /// May be missing: then the member keeps the value that a default-constructed struct has. The
    /// value is published as the default.
    [[nodiscard]] constexpr Field or_default() const {
        Field changed = *this;
        changed.presence = Presence::published_default;
        return changed;
    }
    /// As `or_default`, but the schema does not show the value.
    [[nodiscard]] constexpr Field or_hidden_default() const {
        Field changed = *this;
        changed.presence = Presence::hidden_default;
        return changed;
    }
    /// Must be given, although the type is an optional; null is still a value.
    [[nodiscard]] constexpr Field required() const {
        Field changed = *this;
        changed.presence = Presence::required;
        return changed;
    }

    /// At least that much.
    template <Number N>
    [[nodiscard]] constexpr Field ge(N bound) const {
        Field changed = *this;
        changed.limits.ge = make_bound(bound);
        return changed;
    }
    /// More than that.
    template <Number N>
    [[nodiscard]] constexpr Field gt(N bound) const {
        Field changed = *this;
        changed.limits.gt = make_bound(bound);
        return changed;
    }
    /// At most that much.
    template <Number N>
    [[nodiscard]] constexpr Field le(N bound) const {
        Field changed = *this;
        changed.limits.le = make_bound(bound);
        return changed;
    }
    /// Less than that.
    template <Number N>
    [[nodiscard]] constexpr Field lt(N bound) const {
        Field changed = *this;
        changed.limits.lt = make_bound(bound);
        return changed;
    }
    /// A whole number of times that; not 0.
    template <Number N>
    [[nodiscard]] constexpr Field multiple_of(N step) const {
        Field changed = *this;
        changed.limits.multiple_of = make_bound(step);
        return changed;
    }
    /// At least so many characters, bytes, items or entries.
    [[nodiscard]] constexpr Field min_length(std::size_t count) const {
        static_assert(Sized<HeldType>, "a length is for strings, bytes, lists and maps");
        Field changed = *this;
        changed.limits.min_length = count;
        return changed;
    }
    /// At most so many characters, bytes, items or entries.
    [[nodiscard]] constexpr Field max_length(std::size_t count) const {
        static_assert(Sized<HeldType>, "a length is for strings, bytes, lists and maps");
        Field changed = *this;
        changed.limits.max_length = count;
        return changed;
    }
    [[nodiscard]] constexpr Field length(std::size_t least, std::size_t most) const {
        return min_length(least).max_length(most);
    }
    /// A regular expression (RE2 syntax) that must match somewhere; use ^ and $ for all of it.
    [[nodiscard]] constexpr Field pattern(std::string_view expression) const {
        static_assert(std::same_as<HeldType, std::string>, "a pattern is for strings");
        Field changed = *this;
        changed.limits.pattern_text = expression;
        return changed;
    }
    /// Any JSON object; for members of type Json, which otherwise take any value.
    [[nodiscard]] constexpr Field object() const {
        static_assert(
            std::same_as<HeldType, Json>, "object() is for members of type openenv::Json"
        );
        Field changed = *this;
        changed.limits.object_only = true;
        return changed;
    }
    /// The only values allowed: texts for a string, integers for an integer.
    template <class... Values>
    [[nodiscard]] constexpr auto choices(Values... values) const {
        constexpr bool texts = (std::is_convertible_v<Values, std::string_view> && ...);
        constexpr bool integers = (std::integral<Values> && ...);
        static_assert(sizeof...(Values) != 0, "choices() needs at least one value");
        static_assert(
            (std::same_as<HeldType, std::string> && texts) ||
                (std::integral<HeldType> && !std::same_as<HeldType, bool> && integers),
            "choices() takes texts for a string member and integers for an integer member; "
            "an enum needs none"
        );
        Field<Class, Member, sizeof...(Values), Check> changed{
            name, member, text, presence, limits, {make_choice(values)...}, own_check};
        return changed;
    }
    /// A check of your own, run when everything else is right. It takes the value and returns
    /// nothing, or the text of what is wrong (`std::optional<std::string>`), or throws.
    template <class Function>
    [[nodiscard]] constexpr auto check(Function function) const {
        static_assert(
            std::is_invocable_v<const Function&, const Member&>,
            "check() takes a function of the member's type"
        );
        if constexpr (std::is_invocable_v<const Function&, const Member&>) {
            static_assert(
                CheckResult<std::invoke_result_t<const Function&, const Member&>>,
                "check() takes a function that returns nothing or std::optional<std::string>"
            );
        }
        Field<Class, Member, ChoiceCount, Function> changed{
            name, member, text, presence, limits, {}, function};
        for (std::size_t i = 0; i != ChoiceCount; ++i) {
            changed.choice_list[i] = choice_list[i];
        }
        return changed;
    }

private:
    template <class N>
    static constexpr std::int64_t to_int64(N value) {
        if constexpr (std::unsigned_integral<N> && sizeof(N) >= sizeof(std::int64_t)) {
            if (value > static_cast<N>(std::numeric_limits<std::int64_t>::max())) {
                bounds_and_choices_must_fit_int64();
            }
        }
        return static_cast<std::int64_t>(value);
    }
    template <class N>
    static constexpr Bound make_bound(N bound) {
        static_assert(Number<HeldType>, "a bound is for numbers");
        if constexpr (std::floating_point<HeldType> && std::floating_point<N>) {
            return {Bound::Kind::real, 0, static_cast<double>(bound)};
        } else if constexpr (std::floating_point<HeldType>) {
            return {Bound::Kind::real, to_int64(bound), static_cast<double>(bound), true};
        } else {
            static_assert(std::integral<N>, "an integer member needs an integer as its bound");
            return {Bound::Kind::integer, to_int64(bound), 0};
        }
    }
    template <class V>
    static constexpr Choice make_choice(V value) {
        if constexpr (std::integral<V>) {
            return Choice(to_int64(value));
        } else {
            return Choice(std::string_view(value));
        }
    }
};

/// Marks the struct whose fields a struct takes over; see `openenv::inherit`.
template <class Base>
struct Inherit {};

/// What a struct's `fields` member holds.
template <class Self, class Base, class... F>
struct FieldList {
    using SelfType = Self;  ///< void unless `no_fields` named it
    using BaseType = Base;  ///< void unless `inherit` named it
    std::tuple<F...> list;
};

}  // namespace model

/// Describes a data member: `openenv::field("word", &GuessAction::word)`.
/// The name is the key in JSON. A field is required unless it says `.or_default()` or its type is
/// an optional.
template <class Member, class Class>
[[nodiscard]] constexpr model::Field<Class, Member> field(
    std::string_view name, Member Class::*member
) {
    static_assert(
        !std::is_array_v<Member>, "a C array cannot be a field: use std::array or std::vector"
    );
    static_assert(!std::is_function_v<Member>, "a field must be a data member, not a function");
    model::Field<Class, Member> made;
    made.name = name;
    made.member = member;
    return made;
}

/// The description of a struct: `static constexpr auto fields = openenv::fields(...);`.
template <class Class, class Member, std::size_t N, class Check, class... More>
[[nodiscard]] constexpr auto fields(model::Field<Class, Member, N, Check> first, More... more) {
    return model::FieldList<void, void, model::Field<Class, Member, N, Check>, More...>{
        {first, more...}};
}

/// Without fields there is nothing from which to tell whose description it is.
template <class Nothing = void>
[[nodiscard]] constexpr model::FieldList<void, void> fields() {
    static_assert(
        !std::is_void_v<Nothing>,
        "fields() describes nothing: a struct that adds no fields writes "
        "`static constexpr auto fields = openenv::no_fields<Self>();`"
    );
    return {};
}

/// As above for a struct whose base struct is described too and is not one of the library's own:
/// `openenv::fields(openenv::inherit<Common>(), openenv::field(...))`.
template <class Base, class... Fields>
[[nodiscard]] constexpr auto fields(model::Inherit<Base>, Fields... own) {
    return model::FieldList<void, Base, Fields...>{{own...}};
}

/// Takes over the fields of a base struct; the first argument of `openenv::fields`.
template <class Base>
[[nodiscard]] constexpr model::Inherit<Base> inherit() {
    return {};
}

/// The description of a struct that adds no fields to those of its base. Base is only named when
/// it is not one of the library's own.
template <class Self, class Base = void>
[[nodiscard]] constexpr model::FieldList<Self, Base> no_fields() {
    return {};
}

}  // namespace v0
}  // namespace openenv
