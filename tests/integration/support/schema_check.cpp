#include "integration/support/schema_check.hpp"

#include <algorithm>
#include <string_view>

namespace openenv {
namespace test {

namespace {

std::string_view type_name(const Json& value) {
    switch (value.kind()) {
        case Json::Kind::null:
            return "null";
        case Json::Kind::boolean:
            return "boolean";
        case Json::Kind::integer:
            return "integer";
        case Json::Kind::number:
            return "number";
        case Json::Kind::string:
            return "string";
        case Json::Kind::array:
            return "array";
        case Json::Kind::object:
            return "object";
    }
    return "";
}

class Check {
public:
    explicit Check(const Json& root) : root_(root) {}

    std::vector<std::string> run(const Json& value, const Json& schema, const std::string& place) {
        if (const Json* reference = schema.find("$ref")) {
            return run(value, resolve(reference->as_string()), place);
        }
        if (const Json* choices = schema.find("anyOf")) {
            return any_of(value, *choices, place);
        }
        std::vector<std::string> found = type(value, schema, place);
        append(found, properties(value, schema, place));
        append(found, items(value, schema, place));
        return found;
    }

private:
    static void append(std::vector<std::string>& to, std::vector<std::string> more) {
        to.insert(to.end(), more.begin(), more.end());
    }

    const Json& resolve(std::string_view reference) const {
        const std::string_view name = reference.substr(reference.rfind('/') + 1);
        return root_["$defs"][name];
    }

    std::vector<std::string> any_of(
        const Json& value, const Json& choices, const std::string& place
    ) {
        const auto fits = [&](const Json& choice) { return run(value, choice, place).empty(); };
        const auto all = choices.elements();
        if (std::any_of(all.begin(), all.end(), fits)) {
            return {};
        }
        return {place + " fits no alternative: " + value.dump()};
    }

    static std::vector<std::string> type(
        const Json& value, const Json& schema, const std::string& place
    ) {
        const Json* wanted = schema.find("type");
        const std::string_view is = type_name(value);
        if (wanted == nullptr || wanted->as_string() == is ||
            (wanted->as_string() == "number" && is == "integer")) {
            return {};
        }
        return {place + " is no " + wanted->as_string() + ": " + value.dump()};
    }

    std::vector<std::string> properties(
        const Json& value, const Json& schema, const std::string& place
    ) {
        std::vector<std::string> found;
        if (!value.is_object()) {
            return found;
        }
        if (const Json* required = schema.find("required")) {
            for (const Json& name : required->elements()) {
                if (!value.contains(name.as_string())) {
                    found.push_back(place + " lacks " + name.as_string());
                }
            }
        }
        const Json* known = schema.find("properties");
        const Json* others = schema.find("additionalProperties");
        for (const Json::Member& member : value.items()) {
            const std::string inner = place + "." + member.key;
            const Json* described = known != nullptr ? known->find(member.key) : nullptr;
            if (described != nullptr) {
                append(found, run(member.value, *described, inner));
            } else if (others != nullptr && others->is_object()) {
                append(found, run(member.value, *others, inner));
            } else if (others != nullptr && *others == Json(false)) {
                found.push_back(inner + " is not allowed");
            }
        }
        return found;
    }

    std::vector<std::string> items(
        const Json& value, const Json& schema, const std::string& place
    ) {
        std::vector<std::string> found;
        const Json* item = schema.find("items");
        if (!value.is_array() || item == nullptr || !item->is_object()) {
            return found;
        }
        for (std::size_t i = 0; i != value.size(); ++i) {
            append(found, run(value[i], *item, place + "[" + std::to_string(i) + "]"));
        }
        return found;
    }

    const Json& root_;
};

}  // namespace

std::vector<std::string> schema_violations(const Json& value, const Json& schema) {
    return Check(schema).run(value, schema, "value");
}

}  // namespace test
}  // namespace openenv
