#include "rule_text.hpp"

#include "printable.hpp"

#include <cstddef>

namespace cli {

namespace {

using openenv::Json;

constexpr std::size_t kMostShown = 60;
/// Arrays of arrays, and alternatives, are told of so deep and so many.
constexpr std::size_t kDeepest = 3;
constexpr std::size_t kMostAlternatives = 16;
constexpr std::size_t kMostChoices = 32;

std::string joined(const std::string& before, const char* with, const std::string& more) {
    return before.empty() ? more : before + with + more;
}

std::string type_text(const SchemaDocument& document, const ValueRule& rule, std::size_t depth);

std::string array_text(const SchemaDocument& document, const ValueRule& rule, std::size_t depth) {
    const Json* items = member_of(*rule.schema, "items", Json::Kind::object);
    if (items == nullptr || items->empty() || depth == kDeepest) {
        return "array";
    }
    return "array of " + type_text(document, document.rule_of(*items), depth + 1);
}

std::string alternatives_text(const ValueRule& rule) {
    std::string text;
    std::size_t count = 0;
    for (const Alternative& alternative : rule.alternatives) {
        if (++count > kMostAlternatives) {
            return text + " or others";
        }
        text = joined(text, " or ", printable(shortened(alternative.name, kMostShown)));
    }
    return text;
}

std::string object_text(const SchemaDocument& document, const ValueRule& rule, std::size_t depth) {
    if (member_of(*rule.schema, "properties", Json::Kind::object) != nullptr &&
        !rule.name.empty()) {
        return printable(shortened(rule.name, kMostShown));
    }
    const Json* values = member_of(*rule.schema, "additionalProperties", Json::Kind::object);
    if (values == nullptr || values->empty() || depth == kDeepest) {
        return "object";
    }
    return "object of " + type_text(document, document.rule_of(*values), depth + 1);
}

std::string type_text(const SchemaDocument& document, const ValueRule& rule, std::size_t depth) {
    std::string text;
    switch (rule.kind) {
        case ValueKind::anything:
            return "anything";
        case ValueKind::boolean:
        case ValueKind::integer:
        case ValueKind::number:
        case ValueKind::text:
            text = name_of(rule.kind);
            break;
        case ValueKind::choice:
        case ValueKind::constant:
            text = choices_text(rule);
            break;
        case ValueKind::array:
            text = array_text(document, rule, depth);
            break;
        case ValueKind::object:
            text = object_text(document, rule, depth);
            break;
        case ValueKind::alternatives:
            text = alternatives_text(rule);
            break;
    }
    return rule.nullable ? text + " or null" : text;
}

/// The limit of that name as a text; empty when there is none.
std::string limit(const Json& schema, const char* name) {
    const Json* member = number_member(schema, name);
    return member == nullptr ? std::string() : value_text(*member);
}

std::string size_text(const Json& schema, const char* least, const char* most, const char* what) {
    const std::string from = limit(schema, least);
    const std::string to = limit(schema, most);
    if (!from.empty() && !to.empty()) {
        return (from == to ? from : from + " to " + to) + " " + what;
    }
    if (!from.empty()) {
        return "at least " + from + " " + what;
    }
    return to.empty() ? std::string() : "at most " + to + " " + what;
}

}  // namespace

std::string type_text(const SchemaDocument& document, const ValueRule& rule) {
    return type_text(document, rule, 0);
}

std::string choices_text(const ValueRule& rule) {
    std::string text;
    std::size_t count = 0;
    for (const Json& choice : rule.choices) {
        if (++count > kMostChoices) {
            return "one of " + text + ", ...";
        }
        text = joined(text, ", ", value_text(choice));
    }
    return rule.kind == ValueKind::constant ? "always " + text : "one of " + text;
}

std::string limits_text(const Json& schema) {
    const std::string least = limit(schema, "minimum");
    const std::string most = limit(schema, "maximum");
    const std::string above = limit(schema, "exclusiveMinimum");
    const std::string below = limit(schema, "exclusiveMaximum");
    std::string text;
    if (!least.empty() && !most.empty()) {
        text = "from " + least + " to " + most;
    } else if (!least.empty()) {
        text = "at least " + least;
    } else if (!most.empty()) {
        text = "at most " + most;
    }
    if (!above.empty()) {
        text = joined(text, ", ", "above " + above);
    }
    if (!below.empty()) {
        text = joined(text, ", ", "below " + below);
    }
    const std::string multiple = limit(schema, "multipleOf");
    if (!multiple.empty()) {
        text = joined(text, ", ", "a multiple of " + multiple);
    }
    for (const std::string& part :
         {size_text(schema, "minLength", "maxLength", "characters"),
          size_text(schema, "minItems", "maxItems", "items"),
          size_text(schema, "minProperties", "maxProperties", "members")}) {
        if (!part.empty()) {
            text = joined(text, ", ", part);
        }
    }
    if (const Json* pattern = member_of(schema, "pattern", Json::Kind::string)) {
        text = joined(text, ", ", "matching " + value_text(*pattern));
    }
    return text;
}

std::string value_text(const Json& value) {
    return printable(shortened(value.dump(), kMostShown));
}

}  // namespace cli
