#include "model/messages.hpp"

#include <openenv/model/codec.hpp>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

/// The characters beyond ASCII that Python does not print: blanks, and what has no shape or changes
/// direction. Of the many that stand for nothing yet or are private it knows more.
bool is_unprintable(char32_t c) noexcept {
    return c < 0xA1 || c == 0xAD || c == 0x1680 || (c >= 0x2000 && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) || c == 0x3000 ||
           c == 0xFEFF || (c >= 0xE000 && c <= 0xF8FF) || c >= 0xE0000;
}

void append_hex(std::string& out, char letter, char32_t value, unsigned digits) {
    out += '\\';
    out += letter;
    while (digits-- != 0) {
        out += "0123456789abcdef"[(value >> (4 * digits)) & 0xFU];
    }
}

void append_escaped(std::string& out, char32_t c) {
    if (c <= 0xFF) {
        append_hex(out, 'x', c, 2);
    } else if (c <= 0xFFFF) {
        append_hex(out, 'u', c, 4);
    } else {
        append_hex(out, 'U', c, 8);
    }
}

/// The length of a character by its first byte.
std::size_t length_of(unsigned char first) noexcept {
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

}  // namespace

std::string python_repr(std::string_view text) {
    const bool has_single = text.find('\'') != std::string_view::npos;
    const bool has_double = text.find('"') != std::string_view::npos;
    const char quote = has_single && !has_double ? '"' : '\'';
    std::string out(1, quote);
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::string_view character = text.substr(i, length_of(first));
        i += character.size();
        if (character.size() > 1) {
            char32_t c = first & (0xFFU >> (character.size() + 1));
            for (const char more : character.substr(1)) {
                c = (c << 6U) | (static_cast<unsigned char>(more) & 0x3FU);
            }
            if (is_unprintable(c)) {
                append_escaped(out, c);
            } else {
                out += character;
            }
        } else if (text[i - 1] == quote || first == '\\') {
            out += '\\';
            out += character;
        } else if (first == '\n' || first == '\r' || first == '\t') {
            out += first == '\n' ? "\\n" : first == '\r' ? "\\r" : "\\t";
        } else if (first < 0x20 || first == 0x7F) {
            append_escaped(out, first);
        } else {
            out += character;
        }
    }
    out += quote;
    return out;
}

Json bound_value(const Bound& bound) {
    return bound.kind == Bound::Kind::integer ? Json(bound.integer) : Json(bound.real);
}

std::string context_text(std::initializer_list<Json::Entry> entries) {
    return Json::object(entries).dump();
}

std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string literal_label(std::string_view text) {
    return "literal[" + python_repr(text) + "]";
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
