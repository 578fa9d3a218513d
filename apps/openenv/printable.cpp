#include "printable.hpp"

#include <openenv/base/utf8.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace cli {

namespace {

struct Character {
    char32_t code_point;
    std::size_t size;
};

/// The character at the start of `text`, which is UTF-8.
Character first_of(std::string_view text) {
    const auto byte = [text](std::size_t at) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at]));
    };
    const std::uint32_t first = byte(0);
    if (first < 0x80) {
        return {first, 1};
    }
    if (first < 0xE0) {
        return {(first & 0x1FU) << 6 | (byte(1) & 0x3FU), 2};
    }
    if (first < 0xF0) {
        return {(first & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU), 3};
    }
    return {
        (first & 0x07U) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 |
            (byte(3) & 0x3FU),
        4};
}

bool is_obeyed(char32_t c) {
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool line_break = c == 0x2028 || c == 0x2029;
    const bool direction = c == 0x061C || c == 0x200E || c == 0x200F ||
                           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return control || line_break || direction;
}

void append_escape(std::string& out, const char* format, unsigned value) {
    std::array<char, 16> buffer{};
    const int size = std::snprintf(buffer.data(), buffer.size(), format, value);
    out.append(buffer.data(), static_cast<std::size_t>(size));
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t valid = openenv::utf8_valid_prefix(text);
        std::string_view rest = text.substr(0, valid);
        while (!rest.empty()) {
            const Character c = first_of(rest);
            if (c.code_point == '\n') {
                out += "\\n";
            } else if (is_obeyed(c.code_point)) {
                append_escape(out, "\\u%04x", static_cast<unsigned>(c.code_point));
            } else {
                out += rest.substr(0, c.size);
            }
            rest.remove_prefix(c.size);
        }
        text.remove_prefix(valid);
        if (!text.empty()) {
            append_escape(out, "\\x%02x", static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
        }
    }
    return out;
}

std::string printable_lines(std::string_view text, std::string_view indent) {
    std::string out;
    for (;;) {
        const std::size_t end = text.find('\n');
        out += indent;
        out += printable(text.substr(0, end));
        out += '\n';
        if (end == std::string_view::npos || end + 1 == text.size()) {
            return out;
        }
        text.remove_prefix(end + 1);
    }
}

std::string shortened(std::string_view text, std::size_t most) {
    std::size_t at = 0;
    for (std::size_t count = 0; at < text.size(); ++at) {
        const bool continues = (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
        if (!continues && count++ == most) {
            return std::string(text.substr(0, at)) + "...";
        }
    }
    return std::string(text);
}

}  // namespace cli
