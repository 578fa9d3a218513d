#include "model/messages.hpp"

namespace openenv {
inline namespace v0 {
namespace model {

Json bound_value(const Bound& bound) {
    return bound.kind == Bound::Kind::integer ? Json(bound.integer) : Json(bound.real);
}

std::string context_text(std::initializer_list<Json::Entry> entries) {
    return Json::object(entries).dump();
}

std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string alternatives(std::span<const std::string> quoted) {
    std::string text;
    for (std::size_t i = 0; i != quoted.size(); ++i) {
        if (i != 0) {
            text += i + 1 == quoted.size() ? " or " : ", ";
        }
        text += quoted[i];
    }
    return text;
}

bool fail_too_short(
    ReadContext& context,
    std::string_view noun,
    std::size_t least,
    std::size_t actual,
    std::string_view raw
) {
    return context.fail(
        "too_short",
        std::string(noun) + " should have at least " + counted(least, "item") +
            " after validation, not " + std::to_string(actual),
        raw,
        context_text({{"field_type", noun}, {"min_length", least}, {"actual_length", actual}})
    );
}

bool fail_too_long(
    ReadContext& context,
    std::string_view noun,
    std::size_t most,
    const Json& actual,
    std::string_view raw
) {
    return context.fail(
        "too_long",
        std::string(noun) + " should have at most " + counted(most, "item") +
            " after validation, not " + (actual.is_null() ? "more" : actual.integer_text()),
        raw,
        context_text({{"field_type", noun}, {"max_length", most}, {"actual_length", actual}})
    );
}

bool fail_unicode(ReadContext& context, std::string_view raw) {
    return context.fail(
        "string_unicode",
        "Input should be a valid string, unable to parse raw data as a unicode string",
        raw
    );
}

bool fail_not_attributes(ReadContext& context) {
    return context.fail_next(
        "model_attributes_type",
        "Input should be a valid dictionary or object to extract fields from"
    );
}

std::string_view raw_since(ReadContext& context, std::size_t start) {
    return context.reader().slice(start, context.reader().offset());
}

std::size_t start_of_next(ReadContext& context) {
    context.reader().peek();
    return context.reader().offset();
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
