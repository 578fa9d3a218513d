#include "schema_listing.hpp"

#include "printable.hpp"
#include "rule_text.hpp"
#include "value_rule.hpp"

#include <openenv/base/utf8.hpp>

#include <algorithm>
#include <vector>

namespace cli {

namespace {

using openenv::Json;

constexpr std::size_t kWidestName = 24;

std::string summary_of(const SchemaDocument& document, const Field& field) {
    std::string text = type_text(document, field.rule);
    if (field.required) {
        text += ", required";
    } else if (field.default_value) {
        text += ", default " + value_text(*field.default_value);
    } else {
        text += ", optional";
    }
    const std::string limits = limits_text(*field.rule.schema);
    return limits.empty() ? text : text + ", " + limits;
}

std::string list_one(
    const SchemaDocument& document, const Json& schema, const std::string& indent
) {
    const std::vector<Field> fields = document.fields_of(schema);
    std::size_t width = 0;
    for (const Field& field : fields) {
        width = std::max(width, openenv::utf8_length(printable(field.name)));
    }
    width = std::min(width, kWidestName);
    std::string text;
    for (const Field& field : fields) {
        const std::string name = printable(field.name);
        const std::size_t length = openenv::utf8_length(name);
        text += indent + name + std::string(width > length ? width - length : 0, ' ') + "  " +
                summary_of(document, field) + "\n";
        if (!field.description.empty()) {
            text += printable_lines(field.description, indent + std::string(width + 2, ' '));
        }
    }
    return text;
}

/// What describes a value that is no object with fields.
std::string list_whole(const SchemaDocument& document, const std::string& indent) {
    const ValueRule rule = document.rule_of(document.root());
    const bool empty = rule.kind == ValueKind::object;
    return indent + (empty ? "no fields" : type_text(document, rule)) + "\n";
}

std::string heading(const char* part, const Json& schema) {
    const Json* title = member_of(schema, "title", Json::Kind::string);
    std::string text = part;
    if (title != nullptr) {
        text += ": " + printable(title->as_string());
    }
    return text + "\n";
}

}  // namespace

std::string list_fields(const Json& schema, std::string_view indent) {
    const SchemaDocument document(schema);
    const std::string margin(indent);
    std::string text = list_one(document, schema, margin);
    if (text.empty()) {
        text = list_whole(document, margin);
    }
    for (const char* name : {"$defs", "definitions"}) {
        const Json* definitions = member_of(schema, name, Json::Kind::object);
        if (definitions == nullptr) {
            continue;
        }
        for (const Json::Member& definition : definitions->items()) {
            const std::string fields = list_one(document, definition.value, margin + "  ");
            if (!fields.empty()) {
                text += margin + printable(definition.key) + " is\n" + fields;
            }
        }
    }
    return text;
}

std::string list_schemas(const Json& document) {
    std::string text;
    for (const char* part : {"action", "observation", "state", "reset"}) {
        const Json* schema = member_of(document, part, Json::Kind::object);
        if (schema != nullptr) {
            text +=
                (text.empty() ? "" : "\n") + heading(part, *schema) + list_fields(*schema, "  ");
        }
    }
    return text;
}

}  // namespace cli
