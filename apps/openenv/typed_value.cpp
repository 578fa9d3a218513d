#include "typed_value.hpp"

#include "rule_text.hpp"

#include <openenv/base/ascii.hpp>
#include <openenv/base/utf8.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace cli {

namespace {

using openenv::Errc;
using openenv::Error;
using openenv::Json;
using openenv::Result;

Error wrong(std::string why) {
    return Error{Errc::validation, std::move(why)};
}

Result<Json> parse(std::string_view text, const std::string& wanted) {
    try {
        return Json::parse(text);
    } catch (const openenv::Exception& error) {
        return wrong("this takes " + wanted + ": " + error.what());
    }
}

/// Without those at both ends.
std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = text.find_last_not_of(" \t") + 1;
    return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

/// Whether a limit of that name holds; one that is missing, or is no number, always does.
template <class Holds>
bool limit_holds(const Json& schema, const char* name, Holds holds) {
    const Json* limit = number_member(schema, name);
    return limit == nullptr || holds(limit->as_double());
}

Error out_of_limits(const Json& schema) {
    return wrong("this has to keep to its limits: " + limits_text(schema));
}

/// What stands in the quotes, when the text is a JSON string.
std::optional<std::string> unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
        return std::nullopt;
    }
    const Result<Json> value = parse(text, "a string");
    return value && value->is_string() ? std::optional(value->as_string()) : std::nullopt;
}

Result<Json> check_number(const ValueRule& rule, Json value) {
    const double number = value.as_double();
    const Json& schema = *rule.schema;
    const auto at_least = [number](double limit) { return number >= limit; };
    const auto at_most = [number](double limit) { return number <= limit; };
    const auto above = [number](double limit) { return number > limit; };
    const auto below = [number](double limit) { return number < limit; };
    const bool fits = limit_holds(schema, "minimum", at_least) &&
                      limit_holds(schema, "maximum", at_most) &&
                      limit_holds(schema, "exclusiveMinimum", above) &&
                      limit_holds(schema, "exclusiveMaximum", below);
    if (!fits) {
        return out_of_limits(schema);
    }
    return value;
}

Result<Json> read_number(const ValueRule& rule, std::string_view text) {
    const bool whole = rule.kind == ValueKind::integer;
    const std::string wanted = whole ? "a whole number" : "a number";
    Result<Json> value = parse(text, wanted);
    if (!value || (!value->is_integer() && (whole || !value->is_number()))) {
        return wrong("this takes " + wanted);
    }
    return check_number(rule, std::move(*value));
}

Result<Json> read_text(const ValueRule& rule, std::string_view text) {
    std::string value = unquoted(text).value_or(std::string(text));
    if (!openenv::is_utf8(value)) {
        return wrong("this is not UTF-8");
    }
    const auto length = static_cast<double>(openenv::utf8_length(value));
    const auto long_enough = [length](double limit) { return length >= limit; };
    const auto short_enough = [length](double limit) { return length <= limit; };
    if (!limit_holds(*rule.schema, "minLength", long_enough) ||
        !limit_holds(*rule.schema, "maxLength", short_enough)) {
        return out_of_limits(*rule.schema);
    }
    return Json(std::move(value));
}

Result<Json> read_choice(const ValueRule& rule, std::string_view text) {
    std::vector<std::string> names;
    for (const Json& choice : rule.choices) {
        names.push_back(choice.is_string() ? choice.as_string() : choice.dump());
    }
    const std::string named = unquoted(without_blanks(text)).value_or(std::string(text));
    const std::optional<std::size_t> place = find_choice(names, named);
    if (!place) {
        return wrong("this takes " + choices_text(rule) + ", by name or by number");
    }
    return rule.choices[*place];
}

Result<Json> read_json(std::string_view text, Json::Kind kind, const std::string& wanted) {
    Result<Json> value = parse(text, wanted);
    if (value && value->kind() != kind) {
        return wrong("this takes " + wanted);
    }
    return value;
}

}  // namespace

std::optional<std::size_t> find_choice(
    const std::vector<std::string>& names, std::string_view text
) {
    const auto exact = std::find(names.begin(), names.end(), text);
    if (exact != names.end()) {
        return static_cast<std::size_t>(exact - names.begin());
    }
    std::size_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end || number == 0 || number > names.size()) {
        return std::nullopt;
    }
    return number - 1;
}

std::optional<bool> read_yes_or_no(std::string_view text) {
    const std::string word = openenv::ascii_lower(text);
    if (word == "y" || word == "yes" || word == "true") {
        return true;
    }
    if (word == "n" || word == "no" || word == "false") {
        return false;
    }
    return std::nullopt;
}

Result<Json> read_typed(const ValueRule& rule, std::string_view typed) {
    const bool verbatim = rule.kind == ValueKind::text || rule.kind == ValueKind::choice;
    const std::string_view text = verbatim ? typed : without_blanks(typed);
    if (rule.nullable && text == "null") {
        return Json();
    }
    switch (rule.kind) {
        case ValueKind::boolean: {
            const std::optional<bool> answer = read_yes_or_no(text);
            if (!answer) {
                return wrong("this takes y or n");
            }
            return Json(*answer);
        }
        case ValueKind::integer:
        case ValueKind::number:
            return read_number(rule, text);
        case ValueKind::text:
            return read_text(rule, text);
        case ValueKind::choice:
            return read_choice(rule, text);
        case ValueKind::constant:
            return rule.choices[0];
        case ValueKind::array:
            return read_json(text, Json::Kind::array, "a JSON array, such as [1, 2]");
        case ValueKind::object:
            return read_json(text, Json::Kind::object, "a JSON object, such as {\"a\": 1}");
        case ValueKind::anything:
        case ValueKind::alternatives:
            return parse(text, "JSON");
    }
    return wrong("this takes nothing");
}

}  // namespace cli
