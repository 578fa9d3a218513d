#pragma once

#include <openenv/base/json.hpp>
#include <openenv/model/type_info.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

/// Collects the structs and enums that one JSON Schema refers to.
class SchemaBuilder {
public:
    /// `{"$ref": "#/$defs/Name"}`; the struct is described once, at its first mention.
    Json reference(const StructInfo& info);
    /// The same for an enum with the given names.
    Json reference(
        std::string_view title,
        std::string_view qualified_name,
        std::span<const std::string_view> names
    );
    /// The whole schema of a struct, `$defs` included, with keys in the reference's order.
    Json root(const StructInfo& info);

private:
    struct Definition {
        std::string_view qualified_name;
        std::string name;
    };
    /// Sets `added` when the type was not known.
    std::string define(std::string_view title, std::string_view qualified_name, bool& added);
    Json describe(const StructInfo& info);
    Json describe_field(const FieldInfo& field, const Json* default_value);

    std::vector<Definition> known_;
    Json definitions_ = Json::object();
};

/// The pieces of a schema that types are described with.
Json describe_bool();
Json describe_integer(const Constraints& limits, bool is_unsigned);
Json describe_real(const Constraints& limits);
Json describe_string(const Constraints& limits);
Json describe_bytes(const Constraints& limits);
Json describe_json(const Constraints& limits);
Json describe_literal(std::string_view text);
Json describe_list(SchemaBuilder& builder, const ListInfo& info, const Constraints& limits);
Json describe_map(SchemaBuilder& builder, const MapInfo& info, const Constraints& limits);
Json describe_union(SchemaBuilder& builder, const UnionInfo& info);
/// `{"anyOf": [..., {"type": "null"}]}`; a null is added to an `anyOf` that is there already.
Json describe_nullable(Json value);

/// "episode_id" becomes "Episode Id".
std::string field_title(std::string_view name);

}  // namespace model
}  // namespace v0
}  // namespace openenv
