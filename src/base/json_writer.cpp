#include "openenv/base/json_writer.hpp"

#include "base/text_scan.hpp"
#include "openenv/base/json.hpp"

#include <charconv>
#include <cmath>

namespace openenv {
inline namespace v0 {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
/// From here on copying a text again costs more than looking at its size first.
constexpr std::size_t kLargeText = 16 * 1024;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

void append_unicode_escape(std::string& out, unsigned code_unit) {
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) {
        out.push_back(kHexDigits[(code_unit >> shift) & 0xFU]);
    }
}

void append_escape(std::string& out, char c) {
    switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\b':
            out += "\\b";
            break;
        case '\f':
            out += "\\f";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            append_unicode_escape(out, static_cast<unsigned char>(c));
    }
}

bool is_lone_surrogate(const char* at, const char* end) noexcept {
    return end - at >= 3 && at[0] == '\xED' &&
           (static_cast<unsigned char>(at[1]) & 0xE0U) == 0xA0U &&
           (static_cast<unsigned char>(at[2]) & 0xC0U) == 0x80U;
}

/// Appends the start of [at, end), which is no UTF-8, in a form that is; returns what is left.
const char* append_repaired(std::string& out, const char* at, const char* end) {
    if (is_lone_surrogate(at, end)) {
        const unsigned high = static_cast<unsigned char>(at[1]) & 0x3FU;
        const unsigned low = static_cast<unsigned char>(at[2]) & 0x3FU;
        append_unicode_escape(out, 0xD000U | (high << 6U) | low);
        return at + 3;
    }
    out += kReplacement;
    return at + 1;
}

template <class Real>
void append_real(std::string& out, Real value) {
    // Python's choice between the two notations.
    const Real magnitude = std::abs(value);
    const bool plain = magnitude == 0 || (magnitude >= Real(1e-4) && magnitude < Real(1e16));
    char text[64];
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const char* const end = std::to_chars(text, text + sizeof text, value, format).ptr;
    const std::string_view digits(text, static_cast<std::size_t>(end - text));
    out += digits;
    if (plain && digits.find('.') == std::string_view::npos) {
        out += ".0";
    }
}

template <class Integer>
void append_integer(std::string& out, Integer value) {
    char text[24];
    const char* const end = std::to_chars(text, text + sizeof text, value).ptr;
    out.append(text, static_cast<std::size_t>(end - text));
}

}  // namespace

void JsonWriter::quoted(std::string_view text) {
    if (text.size() >= kLargeText) {
        // In one go, with room for what follows it: growing by doubling would copy it again.
        out_.reserve(out_.size() + text.size() + text.size() / 8);
    }
    out_.push_back('"');
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        const char* stop = detail::find_special(at, end);
        if (stop != end && static_cast<unsigned char>(*stop) >= 0x80) {
            stop = detail::non_ascii_run_end(stop, end);
        }
        out_.append(at, static_cast<std::size_t>(stop - at));
        at = stop;
        if (at == end) {
            break;
        }
        if (static_cast<unsigned char>(*at) >= 0x80) {
            at = append_repaired(out_, at, end);
        } else if (!detail::is_plain(*at)) {
            append_escape(out_, *at);
            ++at;
        }
    }
    out_.push_back('"');
}

void JsonWriter::key(std::string_view name) {
    separate();
    quoted(name);
    out_.push_back(':');
    comma_ = false;
}

void JsonWriter::null() {
    raw("null");
}

void JsonWriter::boolean(bool value) {
    raw(value ? "true" : "false");
}

void JsonWriter::signed_integer(std::int64_t value) {
    separate();
    append_integer(out_, value);
}

void JsonWriter::unsigned_integer(std::uint64_t value) {
    separate();
    append_integer(out_, value);
}

void JsonWriter::number(double value) {
    if (!std::isfinite(value)) {
        null();
        return;
    }
    separate();
    append_real(out_, value);
}

void JsonWriter::number(float value) {
    if (!std::isfinite(value)) {
        null();
        return;
    }
    separate();
    append_real(out_, value);
}

void JsonWriter::string(std::string_view value) {
    separate();
    quoted(value);
}

void JsonWriter::plain_string(std::string_view value) {
    separate();
    out_.push_back('"');
    out_ += value;
    out_.push_back('"');
}

void JsonWriter::raw(std::string_view text) {
    separate();
    out_ += text;
}

void JsonWriter::json(const Json& value) {
    switch (value.kind()) {
        case Json::Kind::null:
            null();
            break;
        case Json::Kind::boolean:
            boolean(value.as_bool());
            break;
        case Json::Kind::integer:
            raw(value.integer_text());
            break;
        case Json::Kind::number:
            number(value.as_double());
            break;
        case Json::Kind::string:
            string(value.as_string());
            break;
        case Json::Kind::array:
            begin_array();
            for (const Json& element : value.elements()) {
                json(element);
            }
            end_array();
            break;
        case Json::Kind::object:
            begin_object();
            for (const auto& [name, member] : value.items()) {
                key(name);
                json(member);
            }
            end_object();
            break;
    }
}

}  // namespace v0
}  // namespace openenv
