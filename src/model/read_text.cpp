#include "model/messages.hpp"
#include "openenv/model/codec.hpp"
#include "openenv/model/pattern.hpp"

#include <openenv/base/base64.hpp>
#include <openenv/base/utf8.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

bool fail_name(
    ReadContext& context,
    const std::vector<std::string>& shown,
    std::string_view type,
    std::string_view raw
) {
    const std::string expected = alternatives(shown);
    return context.fail(
        type, "Input should be " + expected, raw, context_text({{"expected", expected}})
    );
}

bool fail_choice(ReadContext& context, std::span<const Choice> choices, std::string_view raw) {
    std::vector<std::string> shown;
    for (const Choice& choice : choices) {
        shown.push_back(python_repr(choice.text));
    }
    return fail_name(context, shown, "literal_error", raw);
}

bool check_string(
    ReadContext& context, const std::string& value, const Constraints& limits, std::string_view raw
) {
    if (limits.min_length != 0 || limits.max_length != kNoLimit) {
        const std::size_t length = utf8_length(value);
        if (length < limits.min_length) {
            return context.fail(
                "string_too_short",
                "String should have at least " + counted(limits.min_length, "character"),
                raw,
                context_text({{"min_length", limits.min_length}})
            );
        }
        if (length > limits.max_length) {
            return context.fail(
                "string_too_long",
                "String should have at most " + counted(limits.max_length, "character"),
                raw,
                context_text({{"max_length", limits.max_length}})
            );
        }
    }
    if (limits.pattern != nullptr && !limits.pattern().matches(value)) {
        return context.fail(
            "string_pattern_mismatch",
            "String should match pattern " + quoted(limits.pattern_text),
            raw,
            context_text({{"pattern", limits.pattern_text}})
        );
    }
    return true;
}

bool fail_bytes_length(
    ReadContext& context,
    std::string_view type,
    std::string_view words,
    std::string_view key,
    std::size_t limit,
    std::string_view raw
) {
    return context.fail(
        type,
        "Data should have " + std::string(words) + " " + counted(limit, "byte"),
        raw,
        context_text({{key, limit}})
    );
}

}  // namespace

bool read_string(ReadContext& context, std::string& out, const Constraints& limits) {
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    if (reader.peek() != JsonToken::string) {
        const std::string_view raw = reader.skip();
        return limits.choices.empty()
                   ? context.fail("string_type", "Input should be a valid string", raw)
                   : fail_choice(context, limits.choices, raw);
    }
    out.assign(reader.read_string());
    if (!reader.ok()) {
        return false;
    }
    const std::string_view raw = raw_since(context, start);
    if (reader.has_lone_surrogate()) {
        return fail_unicode(context, raw);
    }
    const auto same = [&out](const Choice& choice) { return choice.text == out; };
    if (!limits.choices.empty() &&
        std::none_of(limits.choices.begin(), limits.choices.end(), same)) {
        return fail_choice(context, limits.choices, raw);
    }
    return check_string(context, out, limits, raw);
}

bool read_name(
    ReadContext& context,
    std::size_t& out,
    std::span<const std::string_view> names,
    std::string_view type
) {
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    if (reader.peek() == JsonToken::string) {
        const std::string_view text = reader.read_string();
        if (reader.has_lone_surrogate()) {
            return fail_unicode(context, raw_since(context, start));
        }
        const auto found = std::find(names.begin(), names.end(), text);
        if (found != names.end()) {
            out = static_cast<std::size_t>(found - names.begin());
            return reader.ok();
        }
    } else {
        reader.skip();
    }
    std::vector<std::string> shown;
    for (const std::string_view name : names) {
        shown.push_back(python_repr(name));
    }
    return fail_name(context, shown, type, raw_since(context, start));
}

bool read_bytes(ReadContext& context, Bytes& out, const Constraints& limits) {
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    if (reader.peek() != JsonToken::string) {
        return context.fail_next("bytes_type", "Input should be a valid bytes");
    }
    auto data = decode_base64(reader.read_string());
    const std::string_view raw = raw_since(context, start);
    if (!reader.ok()) {
        return false;
    }
    if (!data) {
        constexpr std::string_view problem = "Invalid base64-encoded string";
        return context.fail(
            "base64_decode",
            "Base64 decoding error: " + quoted(problem),
            raw,
            context_text({{"error", problem}})
        );
    }
    out.data = std::move(*data);
    if (out.size() < limits.min_length) {
        return fail_bytes_length(
            context, "bytes_too_short", "at least", "min_length", limits.min_length, raw
        );
    }
    if (out.size() > limits.max_length) {
        return fail_bytes_length(
            context, "bytes_too_long", "at most", "max_length", limits.max_length, raw
        );
    }
    return true;
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
