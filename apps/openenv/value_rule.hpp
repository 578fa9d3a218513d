#pragma once

#include <openenv/base/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

enum class ValueKind {
    anything,
    boolean,
    integer,
    number,
    text,
    choice,    ///< one of some values
    constant,  ///< nothing to choose
    array,
    object,
    alternatives,  ///< values of several kinds
};

/// A kind, and what JSON Schema calls it.
struct KindName {
    ValueKind kind;
    std::string_view name;
};

inline constexpr KindName kKindNames[] = {
    {ValueKind::boolean, "boolean"},
    {ValueKind::integer, "integer"},
    {ValueKind::number, "number"},
    {ValueKind::text, "string"},
    {ValueKind::array, "array"},
    {ValueKind::object, "object"},
};

/// What JSON Schema calls this kind; empty for one that it has no type for.
[[nodiscard]] constexpr std::string_view name_of(ValueKind kind) noexcept {
    for (const KindName& known : kKindNames) {
        if (known.kind == kind) {
            return known.name;
        }
    }
    return {};
}

/// One kind of value that a union takes.
struct Alternative {
    std::string name;  ///< as the schema calls it, such as "MoveAction"
    std::string tag;   ///< the value that its discriminator has; may be empty
    const openenv::Json* schema;
};

/// What a JSON Schema says about a value, as far as somebody who types it has to know.
/// Lifetime: points into the document it was read from.
struct ValueRule {
    ValueKind kind = ValueKind::anything;
    bool nullable = false;
    const openenv::Json* schema = nullptr;    ///< where limits and items stand; never null
    std::string name = {};                    ///< of an object, such as "Position"; may be empty
    std::vector<openenv::Json> choices = {};  ///< of a choice; the one value of a constant
    std::vector<Alternative> alternatives = {};
};

/// One field of an object.
struct Field {
    std::string name;
    ValueRule rule;
    bool required = false;
    std::optional<openenv::Json> default_value = {};
    std::string description = {};
};

/// A JSON Schema and the definitions in it. Takes what servers publish, ours and pydantic's, and
/// reads what it does not know, or what has no end, as "anything".
/// Lifetime: the schema outlives it.
class SchemaDocument {
public:
    explicit SchemaDocument(const openenv::Json& schema) : root_(schema) {}

    [[nodiscard]] const openenv::Json& root() const noexcept { return root_; }
    [[nodiscard]] ValueRule rule_of(const openenv::Json& schema) const;
    /// The fields of an object's schema, in its order.
    [[nodiscard]] std::vector<Field> fields_of(const openenv::Json& schema) const;

private:
    class RuleReader;
    [[nodiscard]] const openenv::Json& resolved(const openenv::Json& schema) const;

    const openenv::Json& root_;
};

/// The member of that name and kind, or nullptr.
[[nodiscard]] const openenv::Json* member_of(
    const openenv::Json& schema, std::string_view name, openenv::Json::Kind kind
);

/// The member of that name when it is an integer or a number, or nullptr.
[[nodiscard]] const openenv::Json* number_member(
    const openenv::Json& schema, std::string_view name
);

}  // namespace cli
