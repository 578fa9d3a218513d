#include "value_rule.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace cli {

namespace {

using openenv::Json;

/// How many references may follow each other, and how many schemas one rule may be made of: a
/// schema may refer to itself.
constexpr std::size_t kMostHops = 32;
constexpr std::size_t kMostSchemas = 256;

const Json& anything() {
    static const Json empty = Json::object();
    return empty;
}

/// A part of a JSON pointer (RFC 6901) without its escapes.
std::string unescaped(std::string_view part) {
    std::string out;
    for (std::size_t at = 0; at < part.size(); ++at) {
        const bool escape = part[at] == '~' && at + 1 < part.size();
        if (escape && (part[at + 1] == '0' || part[at + 1] == '1')) {
            out += part[++at] == '0' ? '~' : '/';
        } else {
            out += part[at];
        }
    }
    return out;
}

const Json* step_into(const Json& value, const std::string& part) {
    if (!value.is_array()) {
        return value.find(part);
    }
    std::size_t position = 0;
    const char* end = part.data() + part.size();
    const auto [stopped, error] = std::from_chars(part.data(), end, position);
    const bool there = error == std::errc() && stopped == end && position < value.size();
    return there ? &value[position] : nullptr;
}

/// What "#/a/b" points to, or nullptr.
const Json* find_pointer(const Json& root, std::string_view reference) {
    if (reference.empty() || reference.front() != '#') {
        return nullptr;
    }
    reference.remove_prefix(1);
    const Json* at = &root;
    while (at != nullptr && !reference.empty()) {
        if (reference.front() != '/') {
            return nullptr;
        }
        reference.remove_prefix(1);
        const std::size_t end = std::min(reference.find('/'), reference.size());
        at = step_into(*at, unescaped(reference.substr(0, end)));
        reference.remove_prefix(end);
    }
    return at;
}

/// What a schema says in another place: by a reference, or by the one part of an "allOf".
const Json* next_of(const Json& root, const Json& schema) {
    if (const Json* reference = member_of(schema, "$ref", Json::Kind::string)) {
        const Json* target = find_pointer(root, reference->as_string());
        return target == nullptr ? &anything() : target;
    }
    const Json* all = member_of(schema, "allOf", Json::Kind::array);
    return all != nullptr && all->size() == 1 ? &(*all)[0] : nullptr;
}

std::string text_member(const Json& schema, std::string_view name) {
    const Json* member = member_of(schema, name, Json::Kind::string);
    return member == nullptr ? std::string() : member->as_string();
}

ValueKind kind_named(const std::string& type) {
    for (const KindName& known : kKindNames) {
        if (type == known.name) {
            return known.kind;
        }
    }
    return ValueKind::anything;
}

/// The text that a property always has, or nullptr.
const Json* constant_text(const Json& property) {
    const Json* choices = member_of(property, "enum", Json::Kind::array);
    if (choices != nullptr && choices->size() == 1) {
        return (*choices)[0].is_string() ? &(*choices)[0] : nullptr;
    }
    return member_of(property, "const", Json::Kind::string);
}

/// What tells an object of this schema from its alternatives: the constant text of its field
/// `discriminator`, or of the first field that has one when no name is given. May be empty.
std::string tag_of(const Json& schema, const std::string& discriminator) {
    const Json* properties = member_of(schema, "properties", Json::Kind::object);
    if (properties == nullptr) {
        return {};
    }
    for (const Json::Member& property : properties->items()) {
        const Json* text = constant_text(property.value);
        if (text != nullptr && (discriminator.empty() || property.key == discriminator)) {
            return text->as_string();
        }
    }
    return {};
}

}  // namespace

const Json* member_of(const Json& schema, std::string_view name, Json::Kind kind) {
    const Json* member = schema.find(name);
    return member != nullptr && member->kind() == kind ? member : nullptr;
}

const Json* number_member(const Json& schema, std::string_view name) {
    const Json* member = schema.find(name);
    const bool counts = member != nullptr && (member->is_integer() || member->is_number());
    return counts ? member : nullptr;
}

/// Reads one rule, with an eye on how much of the document that takes.
class SchemaDocument::RuleReader {
public:
    explicit RuleReader(const SchemaDocument& document) : document_(document) {}

    [[nodiscard]] ValueRule read(const Json& given) {
        ValueRule rule;
        const Json& schema = document_.resolved(given);
        rule.schema = &schema;
        rule.name = title_of(given, schema);
        if (++schemas_ > kMostSchemas) {
            return rule;
        }
        const Json* any = member_of(schema, "anyOf", Json::Kind::array);
        const Json* one = member_of(schema, "oneOf", Json::Kind::array);
        const Json* choices = member_of(schema, "enum", Json::Kind::array);
        if (any != nullptr || one != nullptr) {
            return read_union(schema, any != nullptr ? *any : *one);
        }
        if (const Json* value = schema.find("const")) {
            return with_choices(std::move(rule), {*value});
        }
        if (choices != nullptr && !choices->empty()) {
            const auto elements = choices->elements();
            return with_choices(std::move(rule), {elements.begin(), elements.end()});
        }
        read_type(schema, rule);
        return rule;
    }

private:
    static std::string title_of(const Json& given, const Json& schema) {
        const std::string reference = text_member(given, "$ref");
        const std::size_t slash = reference.rfind('/');
        if (slash != std::string::npos) {
            return unescaped(std::string_view(reference).substr(slash + 1));
        }
        return text_member(schema, "title");
    }

    static ValueRule with_choices(ValueRule rule, std::vector<Json> choices) {
        const auto nulls = std::remove(choices.begin(), choices.end(), Json());
        rule.nullable = nulls != choices.end();
        choices.erase(nulls, choices.end());
        if (choices.empty()) {
            choices.emplace_back();  // null and nothing else
        }
        const bool fixed = choices.size() == 1 && (!rule.nullable || choices[0].is_null());
        rule.kind = fixed ? ValueKind::constant : ValueKind::choice;
        rule.choices = std::move(choices);
        return rule;
    }

    static void read_type(const Json& schema, ValueRule& rule) {
        const Json* type = schema.find("type");
        std::vector<std::string> names;
        if (type != nullptr && type->is_string()) {
            names.push_back(type->as_string());
        } else if (type != nullptr && type->is_array()) {
            for (const Json& name : type->elements()) {
                if (name.is_string()) {
                    names.push_back(name.as_string());
                }
            }
        } else if (schema.contains("properties")) {
            names.emplace_back("object");
        }
        const auto nulls = std::remove(names.begin(), names.end(), "null");
        rule.nullable = nulls != names.end();
        names.erase(nulls, names.end());
        if (names.size() == 1) {
            rule.kind = kind_named(names[0]);
        } else if (names.empty() && rule.nullable) {
            rule = with_choices(std::move(rule), {Json()});
        }
    }

    ValueRule read_union(const Json& schema, const Json& parts) {
        const Json* discriminator = member_of(schema, "discriminator", Json::Kind::object);
        const std::string tag_field =
            discriminator == nullptr ? "" : text_member(*discriminator, "propertyName");
        ValueRule whole;
        whole.schema = &schema;
        whole.name = text_member(schema, "title");
        std::vector<ValueRule> rules;
        for (const Json& part : parts.elements()) {
            ValueRule rule = read(part);
            const bool is_null = rule.kind == ValueKind::constant && rule.choices[0].is_null();
            whole.nullable = whole.nullable || rule.nullable || is_null;
            if (is_null) {
                continue;
            }
            if (rule.kind == ValueKind::alternatives) {
                std::move(
                    rule.alternatives.begin(),
                    rule.alternatives.end(),
                    std::back_inserter(whole.alternatives)
                );
            } else {
                whole.alternatives.push_back(
                    {alternative_name(rule), tag_of(*rule.schema, tag_field), &part}
                );
            }
            rules.push_back(std::move(rule));
        }
        if (rules.size() == 1) {
            ValueRule only = std::move(rules[0]);
            only.nullable = whole.nullable;
            if (only.nullable && only.kind == ValueKind::constant) {
                only.kind = ValueKind::choice;  // between the value and null
            }
            return only;
        }
        if (rules.empty()) {
            return whole.nullable ? with_choices(std::move(whole), {Json()}) : whole;
        }
        return merged_choices(std::move(whole), rules);
    }

    /// Alternatives that are all made of fixed values are one choice.
    static ValueRule merged_choices(ValueRule whole, const std::vector<ValueRule>& rules) {
        const bool fixed = std::all_of(rules.begin(), rules.end(), [](const ValueRule& rule) {
            return rule.kind == ValueKind::choice || rule.kind == ValueKind::constant;
        });
        whole.kind = fixed ? ValueKind::choice : ValueKind::alternatives;
        if (fixed) {
            whole.alternatives.clear();
            for (const ValueRule& rule : rules) {
                whole.choices.insert(whole.choices.end(), rule.choices.begin(), rule.choices.end());
            }
        }
        return whole;
    }

    static std::string alternative_name(const ValueRule& rule) {
        if (rule.kind == ValueKind::constant) {
            return rule.choices[0].dump();
        }
        const std::string_view type = name_of(rule.kind);
        if (!type.empty() && rule.kind != ValueKind::object) {
            return std::string(type);
        }
        return rule.name.empty() ? std::string(name_of(ValueKind::object)) : rule.name;
    }

    const SchemaDocument& document_;
    std::size_t schemas_ = 0;
};

const Json& SchemaDocument::resolved(const Json& schema) const {
    const Json* at = &schema;
    for (std::size_t hop = 0; hop < kMostHops; ++hop) {
        const Json* next = next_of(root_, *at);
        if (next == nullptr) {
            return *at;
        }
        at = next;
    }
    return anything();
}

ValueRule SchemaDocument::rule_of(const Json& schema) const {
    return RuleReader(*this).read(schema);
}

std::vector<Field> SchemaDocument::fields_of(const Json& schema) const {
    const Json& object = resolved(schema);
    std::vector<Field> fields;
    const Json* properties = member_of(object, "properties", Json::Kind::object);
    if (properties == nullptr) {
        return fields;
    }
    const Json* required = member_of(object, "required", Json::Kind::array);
    for (const Json::Member& property : properties->items()) {
        Field field;
        field.name = property.key;
        field.rule = rule_of(property.value);
        if (const Json* value = property.value.find("default")) {
            field.default_value = *value;
        }
        field.description = text_member(property.value, "description");
        if (field.description.empty()) {
            field.description = text_member(*field.rule.schema, "description");
        }
        if (required != nullptr) {
            const auto names = required->elements();
            field.required =
                std::find(names.begin(), names.end(), Json(property.key)) != names.end();
        }
        fields.push_back(std::move(field));
    }
    return fields;
}

}  // namespace cli
