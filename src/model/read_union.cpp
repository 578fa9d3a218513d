#include "model/discriminator.hpp"
#include "model/messages.hpp"
#include "openenv/model/codec.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

/// A value as Python prints it inside a message.
std::string python_text(std::string_view raw) {
    if (raw.front() == '"') {
        JsonReader reader(raw);
        return shortened(reader.read_string());
    }
    if (raw == "null") {
        return "None";
    }
    if (raw == "true" || raw == "false") {
        return raw == "true" ? "True" : "False";
    }
    JsonReader reader(raw);
    if (reader.peek() != JsonToken::number) {
        return shortened(raw);
    }
    const JsonNumber number = reader.read_number();
    if (number.kind != JsonNumber::Kind::real) {
        return shortened(raw == "-0" ? "0" : raw);
    }
    if (!std::isfinite(number.real)) {
        return std::isnan(number.real) ? "nan" : number.real > 0 ? "inf" : "-inf";
    }
    return Json(number.real).dump();
}

bool read_tagged(
    ReadContext& context, void* variant, const UnionInfo& info, const Discriminator& by
) {
    if (context.reader().peek() != JsonToken::object) {
        return fail_not_attributes(context);
    }
    const std::string_view raw = context.reader().skip();
    if (!context.reader().ok() || !context.allow_rereading(raw, false)) {
        return false;
    }
    const std::string discriminator = "'" + std::string(by.name) + "'";
    std::string_view raw_tag;
    JsonReader ahead(raw, kMaxJsonDepth);
    ahead.enter_object();
    while (const auto key = ahead.next_key()) {
        const bool found = *key == by.name;
        const std::string_view value = ahead.skip();
        raw_tag = found ? value : raw_tag;
    }
    if (raw_tag.empty()) {
        return context.fail(
            "union_tag_not_found",
            "Unable to extract tag using discriminator " + discriminator,
            raw,
            context_text({{"discriminator", discriminator}})
        );
    }
    const std::string tag = python_text(raw_tag);
    std::string expected;
    for (std::size_t i = 0; i != by.tags.size(); ++i) {
        if (by.tags[i] == tag && raw_tag.front() == '"') {
            JsonReader again(raw, kMaxJsonDepth);
            const ReadContext::Detour detour(context, again, context.errors(), false);
            const ReadContext::Step step(context, by.tags[i]);
            return info.alternatives[i]->read(context, info.emplace(variant, i), kUnconstrained);
        }
        expected += (i == 0 ? "" : ", ") + python_repr(by.tags[i]);
    }
    return context.fail(
        "union_tag_invalid",
        "Input tag '" + tag + "' found using " + discriminator +
            " does not match any of the expected tags: " + expected,
        raw,
        context_text({{"discriminator", discriminator}, {"tag", tag}, {"expected_tags", expected}})
    );
}

/// True when a value of that kind needs no conversion to be of the shape.
bool fits(Shape shape, JsonToken token, std::string_view raw) {
    switch (token) {
        case JsonToken::boolean:
            return shape == Shape::boolean || shape == Shape::any;
        case JsonToken::string:
            return shape == Shape::string || shape == Shape::any;
        case JsonToken::array:
            return shape == Shape::array || shape == Shape::any;
        case JsonToken::object:
            return shape == Shape::object || shape == Shape::any;
        case JsonToken::number: {
            JsonReader reader(raw);
            const bool real = reader.read_number().kind == JsonNumber::Kind::real;
            return shape == (real ? Shape::number : Shape::integer) || shape == Shape::any;
        }
        default:
            return shape == Shape::any;
    }
}

bool read_alternative(
    ReadContext& context,
    void* variant,
    const UnionInfo& info,
    std::size_t position,
    std::string_view raw,
    ValidationErrors& errors
) {
    JsonReader reader(raw, kMaxJsonDepth);
    const ReadContext::Detour detour(context, reader, errors, true);
    const std::string label = info.alternatives[position]->label();
    const ReadContext::Step step(context, label);
    return info.alternatives[position]->read(
        context, info.emplace(variant, position), kUnconstrained
    );
}

}  // namespace

bool read_union(ReadContext& context, void* variant, const UnionInfo& info) {
    if (const auto by = find_discriminator(info)) {
        return read_tagged(context, variant, info, *by);
    }
    const JsonToken token = context.reader().peek();
    const std::string_view raw = context.reader().skip();
    if (!context.reader().ok()) {
        return false;
    }
    // The alternatives that need no conversion first, then the others; none of them twice.
    std::vector<ValidationErrors> errors(
        info.alternatives.size(), ValidationErrors(context.errors().room())
    );
    for (const bool exact : {true, false}) {
        for (std::size_t i = 0; i != info.alternatives.size(); ++i) {
            if (fits(info.alternatives[i]->shape, token, raw) != exact) {
                continue;
            }
            if (!context.allow_rereading(raw, true)) {
                return false;
            }
            if (read_alternative(context, variant, info, i, raw, errors[i])) {
                return true;
            }
        }
    }
    for (ValidationErrors& found : errors) {
        context.errors().take(std::move(found));
    }
    return false;
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
