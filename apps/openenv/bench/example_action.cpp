#include "bench/example_action.hpp"

#include "value_rule.hpp"
#include "wrong_usage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace openenv::bench {
namespace {

using cli::Field;
using cli::SchemaDocument;
using cli::ValueKind;
using cli::ValueRule;

/// A schema may refer to itself.
constexpr std::size_t kDeepest = 16;
constexpr std::size_t kMostValues = 100'000;
constexpr std::size_t kBytesOfAValue = 100;  ///< a long text counts as several
constexpr std::int64_t kLongestText = 1'000'000;

class Maker {
public:
    explicit Maker(const Json& schema) : document_(schema) {}

    [[nodiscard]] Json action() { return object_of(document_.root(), ""); }

private:
    [[noreturn]] static void give_up(const std::string& where, const char* why) {
        throw cli::WrongUsage(
            "no action can be made up: " + (where.empty() ? std::string("the action") : where) +
            " " + why + "; give one with --step"
        );
    }

    Json object_of(const Json& schema, const std::string& where, std::string_view tag = {}) {
        if (++depth_ > kDeepest) {
            give_up(where, "refers to itself");
        }
        Json object = Json::object();
        for (const Field& field : document_.fields_of(schema)) {
            const bool is_tag = !tag.empty() && field.rule.kind == ValueKind::constant;
            if (field.required || is_tag) {
                const std::string place = where.empty() ? field.name : where + "." + field.name;
                object[field.name] = value_of(field.rule, place);
            }
        }
        --depth_;
        return object;
    }

    /// Counts values: a small schema can ask for very many.
    void make(std::size_t values, const std::string& where) {
        made_ += values;
        if (made_ > kMostValues) {
            give_up(where, "is too large");
        }
    }

    Json value_of(const ValueRule& rule, const std::string& where) {
        make(1, where);
        switch (rule.kind) {
            case ValueKind::boolean:
                return false;
            case ValueKind::integer:
                return integer_of(*rule.schema, where);
            case ValueKind::number:
                return number_of(*rule.schema, where);
            case ValueKind::text: {
                Json text = text_of(*rule.schema, where);
                make(text.as_string().size() / kBytesOfAValue, where);
                return text;
            }
            case ValueKind::choice:
            case ValueKind::constant:
                return rule.choices.front();
            case ValueKind::array:
                return array_of(*rule.schema, where);
            case ValueKind::object:
                return object_of(*rule.schema, where);
            case ValueKind::alternatives:
                return alternative_of(rule, where);
            case ValueKind::anything:
                return Json();
        }
        return Json();
    }

    static Json integer_of(const Json& schema, const std::string& where) {
        double low = -HUGE_VAL;
        double high = HUGE_VAL;
        if (const Json* limit = cli::number_member(schema, "minimum")) {
            low = std::ceil(limit->as_double());
        }
        if (const Json* limit = cli::number_member(schema, "exclusiveMinimum")) {
            low = std::max(low, std::floor(limit->as_double()) + 1);
        }
        if (const Json* limit = cli::number_member(schema, "maximum")) {
            high = std::floor(limit->as_double());
        }
        if (const Json* limit = cli::number_member(schema, "exclusiveMaximum")) {
            high = std::min(high, std::ceil(limit->as_double()) - 1);
        }
        const double value = std::min(std::max(0.0, low), high);
        if (value < low || std::abs(value) > 9e15) {
            give_up(where, "has limits that leave nothing");
        }
        return static_cast<std::int64_t>(value);
    }

    static Json number_of(const Json& schema, const std::string& where) {
        const auto limit_of = [&schema](std::string_view name, double otherwise) {
            const Json* limit = cli::number_member(schema, name);
            return limit == nullptr ? otherwise : limit->as_double();
        };
        const double low = limit_of("minimum", -HUGE_VAL);
        const double high = limit_of("maximum", HUGE_VAL);
        const double above = limit_of("exclusiveMinimum", -HUGE_VAL);
        const double below = limit_of("exclusiveMaximum", HUGE_VAL);
        double value = std::min(std::max(0.0, low), high);
        if (value <= above) {
            const double end = std::min(high, below);
            value = std::isinf(end) ? above + 1 : (above + end) / 2;
        } else if (value >= below) {
            const double begin = std::max(low, above);
            value = std::isinf(begin) ? below - 1 : (begin + below) / 2;
        }
        if (value < low || value > high || value <= above || value >= below) {
            give_up(where, "has limits that leave nothing");
        }
        return value;
    }

    static Json text_of(const Json& schema, const std::string& where) {
        constexpr std::string_view kText = "hello";
        if (schema.contains("pattern") || schema.contains("format")) {
            give_up(where, "takes texts of a certain form only");
        }
        std::string text(kText);
        if (const Json* least = cli::number_member(schema, "minLength")) {
            if (least->as_double() > static_cast<double>(kLongestText)) {
                give_up(where, "takes long texts only");
            }
            text.resize(std::max(text.size(), static_cast<std::size_t>(least->as_double())), 'x');
        }
        if (const Json* most = cli::number_member(schema, "maxLength")) {
            const double length = std::max(0.0, most->as_double());
            if (length < static_cast<double>(text.size())) {
                text.resize(static_cast<std::size_t>(length));
            }
        }
        return text;
    }

    Json array_of(const Json& schema, const std::string& where) {
        constexpr double kMostItems = 1000;
        Json array = Json::array();
        const Json* least = cli::number_member(schema, "minItems");
        if (least == nullptr || least->as_double() <= 0) {
            return array;
        }
        const Json* items = cli::member_of(schema, "items", Json::Kind::object);
        if (items == nullptr || least->as_double() > kMostItems) {
            give_up(where, "needs items that are not described, or very many");
        }
        if (++depth_ > kDeepest) {
            give_up(where, "refers to itself");
        }
        const std::size_t before = made_;
        const Json item = value_of(document_.rule_of(*items), where + "[]");
        --depth_;
        make(
            (made_ - before) * (static_cast<std::size_t>(std::ceil(least->as_double())) - 1), where
        );
        while (static_cast<double>(array.size()) < least->as_double()) {
            array.push_back(item);
        }
        return array;
    }

    Json alternative_of(const ValueRule& rule, const std::string& where) {
        const cli::Alternative& first = rule.alternatives.front();
        const ValueRule chosen = document_.rule_of(*first.schema);
        if (chosen.kind == ValueKind::object) {
            return object_of(*first.schema, where, first.tag);
        }
        return value_of(chosen, where);
    }

    SchemaDocument document_;
    std::size_t depth_ = 0;
    std::size_t made_ = 0;
};

}  // namespace

Json example_action(const Json& schema) {
    return Maker(schema).action();
}

std::string text_field_of(const Json& schema) {
    const SchemaDocument document(schema);
    for (const Field& field : document.fields_of(schema)) {
        if (field.rule.kind == ValueKind::text) {
            return field.name;
        }
    }
    throw cli::WrongUsage(
        "--payload: the action has no field that takes a text; give a large action with --step "
        "JSON or --step @FILE"
    );
}

}  // namespace openenv::bench
