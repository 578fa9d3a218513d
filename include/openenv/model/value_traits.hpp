#pragma once

#include <openenv/base/json_writer.hpp>
#include <openenv/model/bytes.hpp>
#include <openenv/model/codec.hpp>
#include <openenv/model/enum_names.hpp>
#include <openenv/model/literal.hpp>
#include <openenv/model/schema.hpp>
#include <openenv/model/type_info.hpp>
#include <openenv/model/type_name.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

/// How a type is read, written and described. Specialise it to teach the model a type of your own:
///
///     template <>
///     struct openenv::model::ValueTraits<Money> {
///         static constexpr Shape shape = Shape::string;  // what it looks like in JSON
///         static constexpr bool titled = true;           // false for what becomes a bare $ref
///         static bool read(ReadContext&, Money& out, const Constraints&);
///         static void write(JsonWriter&, const Money&);
///         static Json describe(SchemaBuilder&, const Constraints&);
///         static std::string label();                    // its name in the errors of a union
///     };
///
/// `read` consumes exactly one value; it returns false after an error, which it has recorded with
/// `ReadContext::fail` or which is the JsonReader's own (the text is no JSON).
template <class T>
struct ValueTraits;

/// A type that the model can read, write and describe.
template <class T>
concept Describable = requires {
    sizeof(ValueTraits<T>);
};

/// The table of a type, made from its traits.
template <Describable T>
inline constexpr TypeInfo type_info = {
    .read = [](ReadContext& context, void* out, const Constraints& limits
            ) { return ValueTraits<T>::read(context, *static_cast<T*>(out), limits); },
    .write = [](JsonWriter& writer, const void* value
             ) { ValueTraits<T>::write(writer, *static_cast<const T*>(value)); },
    .describe = [](SchemaBuilder& builder,
                   const Constraints& limits) { return ValueTraits<T>::describe(builder, limits); },
    .label = [] { return ValueTraits<T>::label(); },
    .shape = ValueTraits<T>::shape,
    .titled = ValueTraits<T>::titled,
    .literal =
        [] {
            if constexpr (requires { ValueTraits<T>::literal; }) {
                return ValueTraits<T>::literal;
            } else {
                return std::string_view();
            }
        }(),
};

template <>
struct ValueTraits<bool> {
    static constexpr Shape shape = Shape::boolean;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, bool& out, const Constraints&) {
        return read_bool(context, out);
    }
    static void write(JsonWriter& writer, bool value) { writer.boolean(value); }
    static Json describe(SchemaBuilder&, const Constraints&) { return describe_bool(); }
    static std::string label() { return "bool"; }
};

/// Integers of every width; characters are none.
template <class T>
concept IntegerType = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                      !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                      !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <IntegerType T>
struct ValueTraits<T> {
    static constexpr Shape shape = Shape::integer;
    static constexpr bool titled = true;
    static constexpr IntegerRange range = {
        static_cast<std::int64_t>(std::numeric_limits<T>::min()),
        static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
    static bool read(ReadContext& context, T& out, const Constraints& limits) {
        std::uint64_t bits = 0;
        if (!read_integer(context, bits, limits, range)) {
            return false;
        }
        out = static_cast<T>(bits);
        return true;
    }
    static void write(JsonWriter& writer, T value) { writer.integer(value); }
    static Json describe(SchemaBuilder&, const Constraints& limits) {
        return describe_integer(limits, std::unsigned_integral<T>);
    }
    static std::string label() { return "int"; }
};

template <class T>
requires(std::same_as<T, double> || std::same_as<T, float>) struct ValueTraits<T> {
    static constexpr Shape shape = Shape::number;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, T& out, const Constraints& limits) {
        double value = 0;
        if (!read_real(context, value, limits, double{std::numeric_limits<T>::max()})) {
            return false;
        }
        out = static_cast<T>(value);
        return true;
    }
    static void write(JsonWriter& writer, T value) { writer.number(value); }
    static Json describe(SchemaBuilder&, const Constraints& limits) {
        return describe_real(limits);
    }
    static std::string label() { return "float"; }
};

template <>
struct ValueTraits<std::string> {
    static constexpr Shape shape = Shape::string;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, std::string& out, const Constraints& limits) {
        return read_string(context, out, limits);
    }
    static void write(JsonWriter& writer, const std::string& value) { writer.string(value); }
    static Json describe(SchemaBuilder&, const Constraints& limits) {
        return describe_string(limits);
    }
    static std::string label() { return "str"; }
};

template <>
struct ValueTraits<Bytes> {
    static constexpr Shape shape = Shape::string;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, Bytes& out, const Constraints& limits) {
        return read_bytes(context, out, limits);
    }
    static void write(JsonWriter& writer, const Bytes& value) { write_bytes(writer, value); }
    static Json describe(SchemaBuilder&, const Constraints& limits) {
        return describe_bytes(limits);
    }
    static std::string label() { return "function-after[decode(), bytes]"; }
};

template <>
struct ValueTraits<Json> {
    static constexpr Shape shape = Shape::any;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, Json& out, const Constraints& limits) {
        return read_json(context, out, limits);
    }
    static void write(JsonWriter& writer, const Json& value) { writer.json(value); }
    static Json describe(SchemaBuilder&, const Constraints& limits) {
        return describe_json(limits);
    }
    static std::string label() { return "any"; }
};

template <FixedText Text>
struct ValueTraits<Literal<Text>> {
    static constexpr Shape shape = Shape::string;
    static constexpr bool titled = true;
    static constexpr std::string_view literal = Literal<Text>::value;
    static bool read(ReadContext& context, Literal<Text>&, const Constraints&) {
        std::size_t position = 0;
        return read_name(context, position, {&literal, 1}, "literal_error");
    }
    static void write(JsonWriter& writer, Literal<Text>) { writer.string(literal); }
    static Json describe(SchemaBuilder&, const Constraints&) { return describe_literal(literal); }
    static std::string label() { return literal_label(literal); }
};

template <NamedEnum T>
struct ValueTraits<T> {
    static constexpr Shape shape = Shape::string;
    static constexpr bool titled = false;
    static constexpr auto table = enum_names(T{});
    static constexpr auto name_list = [] {
        std::array<std::string_view, table.size()> list{};
        for (std::size_t i = 0; i != list.size(); ++i) {
            list[i] = table[i].name;
        }
        return list;
    }();
    static constexpr bool names_differ = [] {
        for (std::size_t i = 0; i != name_list.size(); ++i) {
            for (std::size_t j = 0; j != i; ++j) {
                if (name_list[i] == name_list[j]) {
                    return false;
                }
            }
        }
        return true;
    }();
    static_assert(names_differ, "two values of an enum have the same name in its enum_names()");

    static bool read(ReadContext& context, T& out, const Constraints&) {
        std::size_t position = 0;
        if (!read_name(context, position, name_list, "enum")) {
            return false;
        }
        out = table[position].value;
        return true;
    }
    /// A value that has no name, which only a cast can make, is written as null.
    static void write(JsonWriter& writer, T value) {
        for (const auto& entry : table) {
            if (entry.value == value) {
                writer.string(entry.name);
                return;
            }
        }
        writer.null();
    }
    static Json describe(SchemaBuilder& builder, const Constraints&) {
        return builder.reference(short_type_name<T>(), qualified_type_name<T>, name_list);
    }
    static std::string label() { return "enum[" + std::string(short_type_name<T>()) + "]"; }
};

template <Describable T>
struct ValueTraits<std::optional<T>> {
    static constexpr Shape shape = ValueTraits<T>::shape;
    static constexpr bool titled = ValueTraits<T>::titled;
    static bool read(ReadContext& context, std::optional<T>& out, const Constraints& limits) {
        out.reset();
        if (context.reader().peek() == JsonToken::null) {
            return context.reader().read_null();
        }
        return ValueTraits<T>::read(context, out.emplace(), limits);
    }
    static void write(JsonWriter& writer, const std::optional<T>& value) {
        if (value.has_value()) {
            ValueTraits<T>::write(writer, *value);
        } else {
            writer.null();
        }
    }
    static Json describe(SchemaBuilder& builder, const Constraints& limits) {
        return describe_nullable(ValueTraits<T>::describe(builder, limits));
    }
    static std::string label() { return "nullable[" + ValueTraits<T>::label() + "]"; }
};

/// What vectors and arrays share; `List` knows the differences.
template <class List, class T>
struct ListTraits {
    static constexpr Shape shape = Shape::array;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, List& out, const Constraints& limits) {
        return read_list(context, &out, info, limits);
    }
    static void write(JsonWriter& writer, const List& value) {
        writer.begin_array();
        for (const auto& element : value) {
            ValueTraits<T>::write(writer, element);
        }
        writer.end_array();
    }
    static Json describe(SchemaBuilder& builder, const Constraints& limits) {
        return describe_list(builder, info, limits);
    }
    static std::string label() { return "list[" + ValueTraits<T>::label() + "]"; }

    static constexpr ListInfo info = {
        .element = &type_info<T>,
        .clear = [](void* list) { ValueTraits<List>::clear(*static_cast<List*>(list)); },
        .read_next =
            [](ReadContext& context, void* list, std::size_t position) {
                return ValueTraits<List>::read_next(context, *static_cast<List*>(list), position);
            },
        .fixed_size = ValueTraits<List>::fixed_size,
    };
};

template <Describable T, class Allocator>
struct ValueTraits<std::vector<T, Allocator>> : ListTraits<std::vector<T, Allocator>, T> {
    using List = std::vector<T, Allocator>;
    static constexpr std::size_t fixed_size = kNoLimit;
    static void clear(List& list) { list.clear(); }
    static bool read_next(ReadContext& context, List& list, std::size_t) {
        if constexpr (std::same_as<T, bool>) {
            bool value = false;
            const bool good = read_bool(context, value);
            list.push_back(value);
            return good;
        } else {
            return ValueTraits<T>::read(context, list.emplace_back(), kUnconstrained);
        }
    }
};

template <Describable T, std::size_t N>
struct ValueTraits<std::array<T, N>> : ListTraits<std::array<T, N>, T> {
    using List = std::array<T, N>;
    static constexpr std::size_t fixed_size = N;
    static void clear(List&) {}
    static bool read_next(ReadContext& context, List& list, std::size_t position) {
        return ValueTraits<T>::read(context, list[position], kUnconstrained);
    }
};

/// std::map, std::unordered_map and whatever else looks like a map from std::string.
template <class T>
concept StringMap = requires(T map, const T& constant, std::string key) {
    typename T::mapped_type;
    requires std::same_as<typename T::key_type, std::string>;
    map.try_emplace(key);
    constant.begin()->second;
    map.clear();
};

template <StringMap Map>
requires Describable<typename Map::mapped_type>
struct ValueTraits<Map> {
    using T = typename Map::mapped_type;
    static constexpr Shape shape = Shape::object;
    static constexpr bool titled = true;
    static bool read(ReadContext& context, Map& out, const Constraints& limits) {
        return read_map(context, &out, info, limits);
    }
    static void write(JsonWriter& writer, const Map& map) {
        writer.begin_object();
        for (const auto& [key, value] : map) {
            writer.key(key);
            ValueTraits<T>::write(writer, value);
        }
        writer.end_object();
    }
    static Json describe(SchemaBuilder& builder, const Constraints& limits) {
        return describe_map(builder, info, limits);
    }
    static std::string label() { return "dict[str," + ValueTraits<T>::label() + "]"; }

    static constexpr MapInfo info = {
        .value = &type_info<T>,
        .clear = [](void* map) { static_cast<Map*>(map)->clear(); },
        .size = [](const void* map) { return static_cast<const Map*>(map)->size(); },
        .entry =
            [](void* map, std::string_view key) {
                const auto [at, added] = static_cast<Map*>(map)->try_emplace(std::string(key));
                if (!added) {
                    at->second = T();
                }
                return MapEntry{&at->second, at->first, added};
            },
    };
};

}  // namespace model
}  // namespace v0
}  // namespace openenv
