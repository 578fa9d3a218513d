#pragma once

#include <openenv/model/aggregate.hpp>
#include <openenv/model/field.hpp>
#include <openenv/model/pattern.hpp>
#include <openenv/model/value_traits.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace openenv {
inline namespace v0 {
namespace model {

/// The described struct that T derives from; void for none. Specialised by a layer for the bases
/// that it hands out (`Action` and the like), so that authors need not name them.
template <class T>
struct base_of {
    using type = void;
};

/// A struct with a `fields` member.
template <class T>
concept Described = std::is_class_v<T> && requires {
    typename std::remove_cvref_t<decltype(T::fields)>::SelfType;
    T::fields.list;
};

namespace detail {

template <Described T>
using FieldsOf = std::remove_cvref_t<decltype(T::fields)>;

/// The base whose fields come before those of T: what `inherit` names, else what `base_of` says.
template <Described T>
using BaseOf = std::conditional_t<
    std::is_void_v<typename FieldsOf<T>::BaseType>,
    typename base_of<T>::type,
    typename FieldsOf<T>::BaseType>;

template <Described T>
inline constexpr std::size_t listed_count = std::tuple_size_v<decltype(FieldsOf<T>::list)>;

template <Described T, std::size_t I>
using FieldAt = std::tuple_element_t<I, decltype(FieldsOf<T>::list)>;

/// True when the fields are T's own and not those of a base that T only sees by inheritance.
template <Described T>
constexpr bool describes_itself() {
    if constexpr (std::is_same_v<typename FieldsOf<T>::SelfType, T>) {
        return true;
    } else {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (std::is_same_v<typename FieldAt<T, I>::ClassType, T> || ...);
        }
        (std::make_index_sequence<listed_count<T>>());
    }
}

template <class T>
concept KeepsExtra = requires(T& object) {
    { object.*T::extra_member } -> std::same_as<Json&>;
};

template <class T, class Class>
constexpr bool belongs_to(Json Class::*) {
    return std::is_same_v<T, Class>;
}

/// How many of T's own members its description accounts for.
template <Described T>
constexpr std::size_t described_member_count() {
    std::size_t count = []<std::size_t... I>(std::index_sequence<I...>) {
        return (
            std::size_t{0} + ... +
            (std::is_same_v<typename FieldAt<T, I>::ClassType, T> ? std::size_t{1} : std::size_t{0})
        );
    }
    (std::make_index_sequence<listed_count<T>>());
    if constexpr (KeepsExtra<T>) {
        count += belongs_to<T>(T::extra_member) ? 1 : 0;
    }
    return count;
}

template <Described T>
constexpr std::size_t total_count() {
    if constexpr (std::is_void_v<BaseOf<T>>) {
        return listed_count<T>;
    } else {
        return total_count<BaseOf<T>>() + listed_count<T>;
    }
}

/// Where the member is in an object of T.
template <class T, auto Member>
void* member_address(void* object) {
    return &(static_cast<T*>(object)->*Member);
}

template <class Owner, std::size_t I>
const Pattern& compiled_pattern() {
    static const Pattern pattern(std::get<I>(Owner::fields.list).limits.pattern_text);
    return pattern;
}

/// Calls a check in any of its forms; what it throws is its text.
template <class Function, class Value>
std::optional<std::string> run_check(const Function& function, const Value& value) {
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<const Function&, const Value&>>) {
            function(value);
            return std::nullopt;
        } else {
            return function(value);
        }
    } catch (const std::exception& error) {
        return error.what();
    }
}

constexpr bool is_plain_name(std::string_view name) {
    for (const char c : name) {
        if (c < ' ' || c == '"' || c == '\\' || c == '\x7F') {
            return false;
        }
    }
    return true;
}

/// A field's name as a key, with a comma before it.
template <class Owner, std::size_t I>
inline constexpr auto key_text = [] {
    constexpr std::string_view name = std::get<I>(Owner::fields.list).name;
    std::array<char, name.size() + 4> text{',', '"'};
    std::copy(name.begin(), name.end(), text.begin() + 2);
    text[name.size() + 2] = '"';
    text[name.size() + 3] = ':';
    return text;
}();

/// The fields of Owner as they are found in an object of T, which is Owner or derived from it.
template <class T, class Owner, std::size_t I>
constexpr FieldInfo make_field() {
    using Member = typename FieldAt<Owner, I>::MemberType;
    static_assert(
        Describable<Member>,
        "a field has a type that cannot be described: take bool, an integer, float, double, "
        "std::string, openenv::Bytes, openenv::Json, an enum with enum_names(), a struct with "
        "`fields`, or std::optional, std::vector, std::array, std::map<std::string, ...>, "
        "std::variant of such types"
    );
    constexpr const auto& field = std::get<I>(Owner::fields.list);
    FieldInfo info{};
    info.name = field.name;
    if constexpr (is_plain_name(field.name)) {
        info.key = std::string_view(key_text<Owner, I>.data(), key_text<Owner, I>.size());
    }
    info.description = field.text;
    info.presence = field.presence;
    info.limits = field.limits;
    if constexpr (FieldAt<Owner, I>::kChoiceCount != 0) {
        info.limits.choices = field.choice_list;
    }
    if constexpr (!field.limits.pattern_text.empty()) {
        info.limits.pattern = &compiled_pattern<Owner, I>;
    }
    if constexpr (Describable<Member>) {
        info.type = &type_info<Member>;
    }
    info.member = &member_address<T, field.member>;
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(field.own_check)>, NoCheck>) {
        info.check = [](const void* member) {
            return run_check(
                std::get<I>(Owner::fields.list).own_check, *static_cast<const Member*>(member)
            );
        };
    }
    return info;
}

template <class T, class Owner, std::size_t N>
constexpr std::size_t fill_fields(std::array<FieldInfo, N>& table) {
    std::size_t at = 0;
    if constexpr (!std::is_void_v<BaseOf<Owner>>) {
        at = fill_fields<T, BaseOf<Owner>>(table);
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((table[at++] = make_field<T, Owner, I>()), ...);
    }
    (std::make_index_sequence<listed_count<Owner>>());
    return at;
}

template <Described T>
constexpr auto make_fields() {
    std::array<FieldInfo, total_count<T>()> table{};
    fill_fields<T, T>(table);
    return table;
}

template <class T>
inline constexpr auto field_table = make_fields<T>();

template <class T>
constexpr bool names_differ() {
    const auto& table = field_table<T>;
    for (std::size_t i = 0; i != table.size(); ++i) {
        for (std::size_t j = 0; j != i; ++j) {
            if (table[i].name == table[j].name) {
                return false;
            }
        }
    }
    return true;
}

template <class A, class B>
constexpr bool is_same_member(A a, B b) {
    if constexpr (std::is_same_v<A, B>) {
        return a == b;
    } else {
        return false;
    }
}

template <class Member, class... F>
constexpr std::size_t times_listed(Member member, const F&... field) {
    return (std::size_t{0} + ... + (is_same_member(member, field.member) ? 1U : 0U));
}

/// True when T lists each of its members once.
template <class T>
constexpr bool members_differ() {
    return std::apply(
        [](const auto&... field) { return ((times_listed(field.member, field...) == 1) && ...); },
        T::fields.list
    );
}

/// A struct with a `description`, which is no data member of that name.
template <class T>
concept HasDescription = requires {
    std::string_view(T::description);
    requires !std::is_member_object_pointer_v<decltype(&T::description)>;
};

/// A text that T says about itself; one that it merely inherits is about its base.
template <class T>
constexpr std::string_view own_description() {
    if constexpr (HasDescription<T>) {
        if constexpr (HasDescription<BaseOf<T>>) {
            if (std::string_view(T::description) == std::string_view(BaseOf<T>::description)) {
                return {};
            }
        }
        return T::description;
    } else {
        return {};
    }
}

template <class T>
constexpr std::string_view own_title() {
    if constexpr (HasSchemaTitle<T> && HasSchemaTitle<BaseOf<T>>) {
        if (std::string_view(T::schema_title) == std::string_view(BaseOf<T>::schema_title)) {
            return short_type_name<T>();
        }
    }
    return type_title<T>();
}

template <class T>
constexpr ExtraFields extra_policy() {
    if constexpr (KeepsExtra<T>) {
        return ExtraFields::allow;
    } else if constexpr (requires { ExtraFields(T::extra_fields); }) {
        static_assert(
            T::extra_fields != ExtraFields::allow,
            "a struct that allows extra fields says where they go: "
            "static constexpr auto extra_member = &T::member of type openenv::Json;"
        );
        return T::extra_fields;
    } else {
        return ExtraFields::ignore;
    }
}

/// True for a described base of T whose fields T does not take over.
template <class Base, class T>
struct IsPassedOver : std::false_type {};
template <Described Base, class T>
struct IsPassedOver<Base, T>
    : std::bool_constant<
          describes_itself<Base>() &&
          (std::is_void_v<BaseOf<T>> || !std::is_base_of_v<Base, BaseOf<T>>)> {};

/// A check of the whole struct as it must be: callable without an object to call it on.
template <class T>
concept HasCheck = requires(const T& object) {
    T::check(object);
};

/// A function `check` of another form.
template <class T>
concept HasOtherCheck = !HasCheck<T> && requires {
    requires std::is_member_function_pointer_v<decltype(&T::check)> ||
        std::is_function_v<std::remove_pointer_t<decltype(&T::check)>>;
};

template <Described T>
constexpr StructInfo make_struct() {
    static_assert(
        describes_itself<T>(),
        "a struct has only the `fields` of its base: describe its own members, or write "
        "`static constexpr auto fields = openenv::no_fields<Self>();` when it adds none"
    );
    static_assert(
        !has_base_that<T, IsPassedOver>(),
        "a struct leaves out the fields of a base struct that is described too: begin its list "
        "with that base, `openenv::fields(openenv::inherit<Common>(), ...)`, or name it in "
        "`openenv::no_fields<Self, Common>()`"
    );
    static_assert(
        !HasOtherCheck<T>, "`check` must be static and take the struct: static ... check(const T&)"
    );
    static_assert(
        own_member_count<T>() <= described_member_count<T>(),
        "a data member is missing from `fields`: describe every member of the struct"
    );
    static_assert(names_differ<T>(), "two fields of a struct have the same name");
    static_assert(
        members_differ<T>(),
        "two fields of a struct name the same data member: one of them means another"
    );
    static_assert(total_count<T>() <= kMaxFields, "a struct has more than 256 fields");
    static_assert(std::is_default_constructible_v<T>, "a struct needs a default constructor");

    StructInfo info{};
    info.title = own_title<T>();
    info.qualified_name = qualified_type_name<T>;
    info.description = own_description<T>();
    info.extra = extra_policy<T>();
    info.fields = field_table<T>;
    if constexpr (KeepsExtra<T>) {
        info.extra_member = [](void* object) -> Json* {
            return &(static_cast<T*>(object)->*T::extra_member);
        };
    }
    if constexpr (HasCheck<T>) {
        static_assert(
            CheckResult<decltype(T::check(std::declval<const T&>()))>,
            "`check` must return nothing or std::optional<std::string>"
        );
        info.check = [](const void* object) {
            return run_check(
                [](const T& value) { return T::check(value); }, *static_cast<const T*>(object)
            );
        };
    }
    info.with_default = [](void (*use)(const void*, void*), void* context) {
        // On the heap: gcc 12 takes the members of a local for uninitialised in its clean-up.
        const auto object = std::make_unique<const T>();
        use(object.get(), context);
    };
    return info;
}

}  // namespace detail

/// The table of a struct. Asking for it is what checks the description.
template <Described T>
inline constexpr StructInfo struct_info = detail::make_struct<T>();

template <Described T>
struct ValueTraits<T> {
    static constexpr Shape shape = Shape::object;
    static constexpr bool titled = false;
    static bool read(ReadContext& context, T& out, const Constraints&) {
        out = T();
        return read_struct(context, &out, struct_info<T>);
    }
    static void write(JsonWriter& writer, const T& value) {
        write_struct(writer, &value, struct_info<T>);
    }
    static Json describe(SchemaBuilder& builder, const Constraints&) {
        return builder.reference(struct_info<T>);
    }
    static std::string label() { return std::string(struct_info<T>.title); }
};

/// Unions. Structs that have a `Literal` field in common are told apart by it; anything else is
/// tried in turn, the alternatives that need no conversion first.
template <Describable... T>
struct ValueTraits<std::variant<T...>> {
    using Union = std::variant<T...>;
    static constexpr Shape shape = Shape::any;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, Union& out, const Constraints&) {
        return read_union(context, &out, info());
    }
    static void write(JsonWriter& writer, const Union& value) {
        std::visit(
            [&writer]<class V>(const V& held) { ValueTraits<V>::write(writer, held); }, value
        );
    }
    static Json describe(SchemaBuilder& builder, const Constraints&) {
        return describe_union(builder, info());
    }
    static std::string label() { return "union"; }

private:
    static const UnionInfo& info() {
        static constexpr std::array<const TypeInfo*, sizeof...(T)> types = {&type_info<T>...};
        static constexpr auto make = [] {
            UnionInfo made{};
            made.alternatives = types;
            made.emplace = [](void* variant, std::size_t position) {
                return emplace(*static_cast<Union*>(variant), position);
            };
            return made;
        };
        if constexpr ((Described<T> && ...)) {
            static constexpr std::array<const StructInfo*, sizeof...(T)> structs = {
                &struct_info<T>...};
            static constexpr UnionInfo table = [] {
                UnionInfo made = make();
                made.structs = structs;
                return made;
            }();
            return table;
        } else {
            static constexpr UnionInfo table = make();
            return table;
        }
    }
    static void* emplace(Union& variant, std::size_t position) {
        void* made = nullptr;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((I == position ? static_cast<void>(made = &variant.template emplace<I>())
                            : static_cast<void>(0)),
             ...);
        }
        (std::index_sequence_for<T...>());
        return made;
    }
};

}  // namespace model
}  // namespace v0
}  // namespace openenv
