#pragma once

#include <openenv/model/constraints.hpp>
#include <openenv/model/field.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace openenv {
inline namespace v0 {

class JsonWriter;

namespace model {

class ReadContext;
class SchemaBuilder;

/// The kind of JSON value that a type takes without conversion; a union tries that type first.
enum class Shape : std::uint8_t { boolean, integer, number, string, array, object, any };

/// What the library knows about one C++ type, without being a template itself: how to read, write
/// and describe its values. The tables are constants made by the compiler.
struct TypeInfo {
    bool (*read)(ReadContext&, void* out, const Constraints&);
    void (*write)(JsonWriter&, const void* value);
    Json (*describe)(SchemaBuilder&, const Constraints&);
    std::string (*label)();  ///< how errors name the type inside a union: "int", "list[str]"
    Shape shape;
    bool titled;               ///< a field of the type has a title in the schema
    std::string_view literal;  ///< the only text there is, for `Literal`
};

/// The most fields that a struct can have, those of its base structs included.
inline constexpr std::size_t kMaxFields = 256;

/// One described data member of one struct.
struct FieldInfo {
    std::string_view name;
    std::string_view key;  ///< `,"name":`; empty for a name that needs escapes
    std::string_view description;
    Presence presence;
    Constraints limits;
    const TypeInfo* type;
    void* (*member)(void* object);  ///< finds the member in an object of the table's struct
    /// Runs the author's check; nothing, or the text of what is wrong. Null when there is none.
    std::optional<std::string> (*check)(const void* member);
};

/// One described struct: the fields of its base structs first, then its own.
struct StructInfo {
    std::string_view title;
    std::string_view qualified_name;
    std::string_view description;
    ExtraFields extra;
    std::span<const FieldInfo> fields;
    Json* (*extra_member)(void* object);  ///< null unless extra is ExtraFields::allow
    std::optional<std::string> (*check)(const void* object);  ///< null when there is none
    /// Calls `use` with a default-constructed object.
    void (*with_default)(void (*use)(const void* object, void* context), void* context);
};

/// How to fill a list without knowing its type.
struct ListInfo {
    const TypeInfo* element;
    void (*clear)(void* list);
    /// Reads the element at `position`, which is the next one; false after an error.
    bool (*read_next)(ReadContext&, void* list, std::size_t position);
    std::size_t fixed_size;  ///< kNoLimit unless the type has a size of its own
};

/// An entry of a map, ready to be read into.
struct MapEntry {
    void* value;
    std::string_view key;  ///< as the map keeps it
    bool added;            ///< false when the key was there before
};

/// How to fill a map with string keys.
struct MapInfo {
    const TypeInfo* value;
    void (*clear)(void* map);
    std::size_t (*size)(const void* map);
    /// Adds the entry of `key`, or sets it back to a default value.
    MapEntry (*entry)(void* map, std::string_view key);
};

/// How to fill a variant.
struct UnionInfo {
    std::span<const TypeInfo* const> alternatives;
    std::span<const StructInfo* const> structs;  ///< empty unless every alternative is a struct
    /// Makes the alternative with that position the current one, default-constructed.
    void* (*emplace)(void* variant, std::size_t position);
};

}  // namespace model
}  // namespace v0
}  // namespace openenv
