#include "openenv/model/schema.hpp"

#include "model/discriminator.hpp"
#include "model/messages.hpp"

#include <openenv/base/json_writer.hpp>

#include <algorithm>
#include <map>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

constexpr std::string_view kDefinitions = "#/$defs/";

void add_bound(Json& schema, std::string_view key, const Bound& bound) {
    if (bound) {
        schema[key] = bound.is_whole ? Json(bound.integer) : bound_value(bound);
    }
}

void add_bounds(Json& schema, const Constraints& limits) {
    add_bound(schema, "minimum", limits.ge);
    add_bound(schema, "exclusiveMinimum", limits.gt);
    add_bound(schema, "maximum", limits.le);
    add_bound(schema, "exclusiveMaximum", limits.lt);
    add_bound(schema, "multipleOf", limits.multiple_of);
}

void add_lengths(
    Json& schema, const Constraints& limits, std::string_view least, std::string_view most
) {
    if (limits.min_length != 0) {
        schema[least] = limits.min_length;
    }
    if (limits.max_length != kNoLimit) {
        schema[most] = limits.max_length;
    }
}

/// One choice is a "const", several are an "enum".
void add_choices(Json& schema, std::span<const Choice> choices) {
    Json values = Json::array();
    for (const Choice& choice : choices) {
        values.push_back(choice.is_text ? Json(choice.text) : Json(choice.integer));
    }
    if (values.size() == 1) {
        schema["const"] = values[0];
    } else if (!values.empty()) {
        schema["enum"] = values;
    }
}

/// Sorts keys the way the reference does: everywhere except directly under `properties` and
/// `default`, whose order means something to a reader.
Json sorted(const Json& value, std::string_view parent) {
    if (value.is_array()) {
        Json list = Json::array();
        for (const Json& element : value.elements()) {
            list.push_back(sorted(element, parent));
        }
        return list;
    }
    if (!value.is_object()) {
        return value;
    }
    std::vector<const Json::Member*> members;
    for (const Json::Member& member : value.items()) {
        members.push_back(&member);
    }
    if (parent != "properties" && parent != "default") {
        std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) {
            return a->key < b->key;
        });
    }
    Json object = Json::object();
    for (const Json::Member* const member : members) {
        object[member->key] = sorted(member->value, member->key);
    }
    return object;
}

Json ref_to(std::string_view name) {
    return Json::object({{"$ref", std::string(kDefinitions) + std::string(name)}});
}

/// "shop::Order" as a definition's name when "Order" is taken: "shop__Order".
std::string flattened(std::string_view qualified_name) {
    std::string name;
    for (const char c : qualified_name) {
        const bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        name += word ? c : '_';
    }
    return name;
}

bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

std::string field_title(std::string_view name) {
    std::string title;
    bool inside_word = false;
    for (const char c : name) {
        char shown = c == '_' ? ' ' : c;
        if (is_letter(c)) {
            shown = static_cast<char>(inside_word ? c | 0x20 : c & ~0x20);
        }
        inside_word = is_letter(c);
        title += shown;
    }
    const std::size_t first = title.find_first_not_of(' ');
    return first == std::string::npos
               ? std::string()
               : title.substr(first, title.find_last_not_of(' ') - first + 1);
}

Json describe_bool() {
    return Json::object({{"type", "boolean"}});
}

Json describe_integer(const Constraints& limits, bool is_unsigned) {
    Json schema = Json::object({{"type", "integer"}});
    if (is_unsigned && !limits.ge && !limits.gt) {
        schema["minimum"] = 0;
    }
    add_bounds(schema, limits);
    add_choices(schema, limits.choices);
    return schema;
}

Json describe_real(const Constraints& limits) {
    Json schema = Json::object({{"type", "number"}});
    add_bounds(schema, limits);
    return schema;
}

Json describe_string(const Constraints& limits) {
    Json schema = Json::object({{"type", "string"}});
    add_lengths(schema, limits, "minLength", "maxLength");
    if (!limits.pattern_text.empty()) {
        schema["pattern"] = limits.pattern_text;
    }
    if (limits.pattern != nullptr) {
        // Now, when the schema is made, rather than at the first request.
        static_cast<void>(limits.pattern());
    }
    add_choices(schema, limits.choices);
    return schema;
}

Json describe_bytes(const Constraints& limits) {
    Json schema = Json::object({{"format", "base64"}, {"type", "string"}});
    add_lengths(schema, limits, "minLength", "maxLength");
    return schema;
}

Json describe_json(const Constraints& limits) {
    return limits.object_only ? Json::object({{"additionalProperties", true}, {"type", "object"}})
                              : Json::object();
}

Json describe_literal(std::string_view text) {
    return Json::object({{"const", text}, {"type", "string"}});
}

Json describe_list(SchemaBuilder& builder, const ListInfo& info, const Constraints& limits) {
    Json schema = Json::object({{"type", "array"}});
    schema["items"] = info.element->describe(builder, kUnconstrained);
    add_lengths(schema, limits, "minItems", "maxItems");
    if (info.fixed_size != kNoLimit) {
        schema["minItems"] = info.fixed_size;
        schema["maxItems"] = info.fixed_size;
    }
    return schema;
}

Json describe_map(SchemaBuilder& builder, const MapInfo& info, const Constraints& limits) {
    Json schema = Json::object({{"type", "object"}});
    const Json value = info.value->describe(builder, kUnconstrained);
    schema["additionalProperties"] = value == Json::object() ? Json(true) : value;
    add_lengths(schema, limits, "minProperties", "maxProperties");
    return schema;
}

Json describe_union(SchemaBuilder& builder, const UnionInfo& info) {
    Json list = Json::array();
    for (const TypeInfo* const type : info.alternatives) {
        list.push_back(type->describe(builder, kUnconstrained));
    }
    const auto by = find_discriminator(info);
    if (!by) {
        return Json::object({{"anyOf", list}});
    }
    Json mapping = Json::object();
    for (std::size_t i = 0; i != by->tags.size(); ++i) {
        mapping[by->tags[i]] = list[i]["$ref"];
    }
    const Json discriminator = Json::object({{"mapping", mapping}, {"propertyName", by->name}});
    return Json::object({{"discriminator", discriminator}, {"oneOf", list}});
}

Json describe_nullable(Json value) {
    const Json null = Json::object({{"type", "null"}});
    if (Json* const any = value.find("anyOf"); any != nullptr && value.size() == 1) {
        any->push_back(null);
        return value;
    }
    return Json::object({{"anyOf", Json::array({std::move(value), null})}});
}

std::string SchemaBuilder::define(
    std::string_view title, std::string_view qualified_name, bool& added
) {
    for (const Definition& known : known_) {
        if (known.qualified_name == qualified_name) {
            added = false;
            return known.name;
        }
    }
    added = true;
    std::string name = flattened(title);
    if (definitions_.contains(name)) {
        name = flattened(qualified_name);
    }
    known_.push_back({qualified_name, name});
    definitions_[name] = nullptr;  // keeps the name while the definition is made
    return name;
}

Json SchemaBuilder::reference(const StructInfo& info) {
    bool added = false;
    const std::string name = define(info.title, info.qualified_name, added);
    if (added) {
        // A struct may mention itself, so the description comes after the name is known.
        Json schema = describe(info);
        definitions_[name] = std::move(schema);
    }
    return ref_to(name);
}

Json SchemaBuilder::reference(
    std::string_view title, std::string_view qualified_name, std::span<const std::string_view> names
) {
    bool added = false;
    const std::string name = define(title, qualified_name, added);
    if (added) {
        Json values = Json::array();
        for (const std::string_view value : names) {
            values.push_back(value);
        }
        definitions_[name] = Json::object({{"enum", values}, {"title", title}, {"type", "string"}});
    }
    return ref_to(name);
}

Json SchemaBuilder::describe_field(const FieldInfo& field, const Json* default_value) {
    Json schema = field.type->describe(*this, field.limits);
    if (default_value != nullptr) {
        schema["default"] = *default_value;
    }
    if (!field.description.empty()) {
        schema["description"] = field.description;
    }
    if (field.type->titled) {
        schema["title"] = field_title(field.name);
    }
    return schema;
}

Json SchemaBuilder::describe(const StructInfo& info) {
    // What a default-constructed object holds, for the fields that publish it.
    std::map<std::string_view, Json> defaults;
    struct Collect {
        const StructInfo& info;
        std::map<std::string_view, Json>& defaults;
    } collect{info, defaults};
    info.with_default(
        [](const void* object, void* context) {
            const Collect& into = *static_cast<Collect*>(context);
            for (const FieldInfo& field : into.info.fields) {
                if (field.presence == Presence::published_default) {
                    std::string text;
                    JsonWriter writer(text);
                    field.type->write(writer, field.member(const_cast<void*>(object)));
                    into.defaults[field.name] = Json::parse(text);
                }
            }
        },
        &collect
    );

    Json schema = Json::object({{"title", info.title}, {"type", "object"}});
    if (!info.description.empty()) {
        schema["description"] = info.description;
    }
    if (info.extra != ExtraFields::ignore) {
        schema["additionalProperties"] = info.extra == ExtraFields::allow;
    }
    Json properties = Json::object();
    Json required = Json::array();
    for (const FieldInfo& field : info.fields) {
        const auto found = defaults.find(field.name);
        properties[field.name] =
            describe_field(field, found == defaults.end() ? nullptr : &found->second);
        if (field.presence == Presence::required) {
            required.push_back(field.name);
        }
    }
    schema["properties"] = std::move(properties);
    if (!required.empty()) {
        schema["required"] = std::move(required);
    }
    return schema;
}

Json SchemaBuilder::root(const StructInfo& info) {
    bool added = false;
    const std::string name = define(info.title, info.qualified_name, added);
    Json body = describe(info);
    const std::string mention = "\"" + std::string(kDefinitions) + name + "\"";
    // A struct that mentions itself is a definition like any other, and the root refers to it.
    const bool recursive = body.dump().find(mention) != std::string::npos ||
                           definitions_.dump().find(mention) != std::string::npos;
    Json schema = recursive ? ref_to(name) : body;
    if (recursive) {
        definitions_[name] = std::move(body);
    } else {
        definitions_.erase(name);
    }
    if (!definitions_.empty()) {
        schema["$defs"] = definitions_;
    }
    return sorted(schema, "");
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
