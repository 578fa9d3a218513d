#include "openenv/base/json_writer.hpp"

#include "base/text_scan.hpp"
#include "openenv/base/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace openenv {
inline namespace v0 {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
/// From here on copying a text again costs more than looking at its size first.
constexpr std::size_t kLargeText = 16 * 1024;
constexpr std::size_t kShortText = 60;
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

template <class Integer>
void append_integer(std::string& out, Integer value) {
    char text[24];
    const char* const end = std::to_chars(text, text + sizeof text, value).ptr;
    out.append(text, static_cast<std::size_t>(end - text));
}

/// Appends a value with few digits, such as most rewards have; false for any other.
///
/// A quotient of two whole numbers is the double nearest to the decimal fraction that they make, so
/// a value that equals it reads back from that fraction. No other decimal of up to 15 digits does,
/// hence no shorter one.
bool append_short_real(std::string& out, double value) {
    constexpr double kMostUnits = 1e15;
    const double magnitude = std::abs(value);
    double scale = 1;
    for (unsigned decimals = 0; decimals != 4; ++decimals, scale *= 10) {
        const double scaled = magnitude * scale;
        if (!(scaled < kMostUnits)) {
            return false;
        }
        const auto units = static_cast<std::uint64_t>(scaled + 0.5);
        if (static_cast<double>(units) / scale != magnitude) {
            continue;
        }
        if (std::signbit(value)) {
            out.push_back('-');
        }
        const auto whole_scale = static_cast<std::uint64_t>(scale);
        append_integer(out, units / whole_scale);
        out.push_back('.');
        std::uint64_t rest = units % whole_scale;
        for (std::uint64_t place = whole_scale / 10; place > 1; place /= 10) {
            out.push_back(static_cast<char>('0' + rest / place));
            rest %= place;
        }
        out.push_back(static_cast<char>('0' + rest));
        return true;
    }
    return false;
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

}  // namespace

/// Appends a comma where one is due, the text in quotes, and what comes behind it.
void JsonWriter::quoted(std::string_view text, std::string_view behind) {
    if (text.size() <= kShortText) {
        const char* const end = text.data() + text.size();
        if (detail::find_special(text.data(), end) == end) {
            // In one piece: most texts are names, and growing a string by parts takes longer.
            std::array<char, kShortText + 4> piece;
            char* at = piece.data();
            *at = ',';
            at += comma_ ? 1 : 0;
            *at++ = '"';
            at = std::copy(text.begin(), text.end(), at);
            *at++ = '"';
            at = std::copy(behind.begin(), behind.end(), at);
            out_.append(piece.data(), static_cast<std::size_t>(at - piece.data()));
            comma_ = true;
            return;
        }
    }
    separate();
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
    out_ += behind;
}

void JsonWriter::key(std::string_view name) {
    quoted(name, ":");
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
    if (!append_short_real(out_, value)) {
        append_real(out_, value);
    }
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
    quoted(value, "");
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
            if (value.tag_ == Json::Tag::int64) {
                signed_integer(value.payload_.int64);
            } else {
                raw(value.integer_text());
            }
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
