#include "openenv/base/json_reader.hpp"

#include "base/text_scan.hpp"
#include "openenv/base/number_text.hpp"
#include "openenv/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

namespace openenv {
inline namespace v0 {

namespace {

constexpr std::string_view kExpectingValue = "Expecting value";
constexpr std::string_view kExpectingComma = "Expecting ',' delimiter";
constexpr std::string_view kExpectingColon = "Expecting ':' delimiter";
constexpr std::string_view kExpectingName = "Expecting property name enclosed in double quotes";
constexpr std::string_view kBadUnicodeEscape = "Invalid \\uXXXX escape";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

const char* digits_end(const char* at, const char* end) noexcept {
    while (at != end && is_digit(*at)) {
        ++at;
    }
    return at;
}

/// The value of a hexadecimal digit, or 16.
unsigned hex_value(char c) noexcept {
    if (is_digit(c)) {
        return static_cast<unsigned>(c - '0');
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10U : 16U;
}

char32_t hex4(const char* at) noexcept {
    char32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        value = value * 16 + hex_value(at[i]);
    }
    return value;
}

bool is_high_surrogate(char32_t c) noexcept {
    return c >= 0xD800 && c < 0xDC00;
}
bool is_low_surrogate(char32_t c) noexcept {
    return c >= 0xDC00 && c < 0xE000;
}

/// What a one-letter escape stands for, or 0 when there is no such escape.
char simple_escape(char letter) noexcept {
    switch (letter) {
        case '"':
        case '\\':
        case '/':
            return letter;
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        default:
            return 0;
    }
}

JsonNumber to_integer(std::string_view text) noexcept {
    JsonNumber number;
    number.text = text;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), end, number.int64).ec == std::errc{}) {
        number.real = static_cast<double>(number.int64);
        return number;
    }
    number.int64 = 0;
    if (text.front() != '-' && std::from_chars(text.data(), end, number.uint64).ec == std::errc{}) {
        number.kind = JsonNumber::Kind::uint64;
        number.real = static_cast<double>(number.uint64);
        return number;
    }
    number.uint64 = 0;
    number.kind = JsonNumber::Kind::big;
    number.real = parse_decimal(text).value_or(0);
    return number;
}

}  // namespace

JsonReader::JsonReader(std::string_view text, std::uint32_t max_depth) noexcept
    : begin_(text.data()),
      at_(text.data()),
      end_(text.data() + text.size()),
      max_depth_(std::min(max_depth, kMaxJsonDepth)) {
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
        fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", at_);
    }
}

void JsonReader::fail(std::string_view what, const char* where) noexcept {
    if (ok()) {
        error_ = {static_cast<std::size_t>(where - begin_), what};
    }
}

void JsonReader::skip_blanks() noexcept {
    while (at_ != end_ && is_blank(*at_)) {
        ++at_;
    }
}

bool JsonReader::match(std::string_view word) noexcept {
    if (static_cast<std::size_t>(end_ - at_) < word.size() ||
        std::string_view(at_, word.size()) != word) {
        fail(kExpectingValue, at_);
        return false;
    }
    at_ += word.size();
    return true;
}

JsonToken JsonReader::peek() noexcept {
    if (!ok()) {
        return JsonToken::error;
    }
    skip_blanks();
    if (at_ != end_) {
        switch (*at_) {
            case '{':
                return JsonToken::object;
            case '[':
                return JsonToken::array;
            case '"':
                return JsonToken::string;
            case 't':
            case 'f':
                return JsonToken::boolean;
            case 'n':
                return JsonToken::null;
            case 'N':
            case 'I':
            case '-':
                return JsonToken::number;
            default:
                if (is_digit(*at_)) {
                    return JsonToken::number;
                }
        }
    }
    fail(kExpectingValue, at_);
    return JsonToken::error;
}

bool JsonReader::enter(char open) noexcept {
    if (peek() == JsonToken::error) {
        return false;
    }
    if (*at_ != open) {
        fail(kExpectingValue, at_);
        return false;
    }
    if (depth_ == max_depth_) {
        fail("Nested too deeply", at_);
        return false;
    }
    ++depth_;
    ++at_;
    first_ = true;
    return true;
}

bool JsonReader::enter_object() noexcept {
    return enter('{');
}
bool JsonReader::enter_array() noexcept {
    return enter('[');
}

bool JsonReader::advance(char close, std::string_view missing) noexcept {
    if (!ok()) {
        return false;
    }
    skip_blanks();
    const bool first = first_;
    first_ = false;
    if (at_ == end_) {
        fail(first ? missing : kExpectingComma, at_);
        return false;
    }
    if (*at_ == close) {
        ++at_;
        --depth_;
        return false;
    }
    if (!first) {
        if (*at_ != ',') {
            fail(kExpectingComma, at_);
            return false;
        }
        ++at_;
        skip_blanks();
    }
    return true;
}

bool JsonReader::next_item() noexcept {
    return advance(']', kExpectingValue);
}

std::optional<std::string_view> JsonReader::next_key() {
    if (!advance('}', kExpectingName)) {
        return std::nullopt;
    }
    if (at_ == end_ || *at_ != '"') {
        fail(kExpectingName, at_);
        return std::nullopt;
    }
    const std::string_view key = read_string();
    skip_blanks();
    if (ok() && (at_ == end_ || *at_ != ':')) {
        fail(kExpectingColon, at_);
    }
    if (!ok()) {
        return std::nullopt;
    }
    ++at_;
    return key;
}

bool JsonReader::read_null() noexcept {
    return peek() != JsonToken::error && match("null");
}

bool JsonReader::read_bool() noexcept {
    if (peek() == JsonToken::error) {
        return false;
    }
    if (*at_ == 't') {
        return match("true");
    }
    match("false");
    return false;
}

bool JsonReader::pass_number() noexcept {
    real_ = true;
    if (*at_ == 'N') {
        return match("NaN");
    }
    const char* const start = at_;
    const char* at = at_ + (*at_ == '-' ? 1 : 0);
    if (at != end_ && *at == 'I') {
        if (std::string_view(at, static_cast<std::size_t>(end_ - at)).substr(0, 8) != "Infinity") {
            fail(kExpectingValue, start);
            return false;
        }
        at_ = at + 8;
        return true;
    }
    if (at == end_ || !is_digit(*at)) {
        fail(kExpectingValue, start);
        return false;
    }
    const char* const digits = at;
    // A leading zero is a number of its own; what follows is then found to be out of place.
    at = *at == '0' ? at + 1 : digits_end(at, end_);
    real_ = false;
    const auto integer_digits = static_cast<std::size_t>(at - digits);
    if (end_ - at >= 2 && *at == '.' && is_digit(at[1])) {
        at = digits_end(at + 1, end_);
        real_ = true;
    }
    if (end_ - at >= 2 && (*at == 'e' || *at == 'E')) {
        const char* power = at + 1;
        if (*power == '+' || *power == '-') {
            ++power;
        }
        if (power != end_ && is_digit(*power)) {
            at = digits_end(power, end_);
            real_ = true;
        }
    }
    if (!real_ && integer_digits > kMaxIntegerDigits) {
        fail("Integer with too many digits", start);
        return false;
    }
    at_ = at;
    return true;
}

JsonNumber JsonReader::read_number() noexcept {
    const JsonToken token = peek();
    if (token != JsonToken::number) {
        fail(kExpectingValue, at_);
        return {};
    }
    const char* const start = at_;
    if (!pass_number()) {
        return {};
    }
    const std::string_view text(start, static_cast<std::size_t>(at_ - start));
    if (!real_) {
        return to_integer(text);
    }
    JsonNumber number;
    number.kind = JsonNumber::Kind::real;
    number.text = text;
    if (text == "NaN") {
        number.real = std::numeric_limits<double>::quiet_NaN();
    } else if (text.back() == 'y') {
        number.real = std::numeric_limits<double>::infinity() * (*start == '-' ? -1 : 1);
    } else {
        number.real = parse_decimal(text).value_or(0);
    }
    return number;
}

/// Checks the escape whose backslash is at `at`; returns its end, or `at` after an error.
const char* JsonReader::pass_escape(const char* at, const char* opening) noexcept {
    if (end_ - at < 2) {
        fail("Unterminated string starting at", opening);
        return at;
    }
    if (at[1] != 'u') {
        if (simple_escape(at[1]) == 0) {
            fail("Invalid \\escape", at);
            return at;
        }
        return at + 2;
    }
    if (end_ - at < 7) {  // four digits, and at least the closing quote
        fail(kBadUnicodeEscape, at + 1);
        return at;
    }
    for (int i = 2; i < 6; ++i) {
        if (hex_value(at[i]) == 16U) {
            fail(kBadUnicodeEscape, at + 1);
            return at;
        }
    }
    return at + 6;
}

/// Passes over the string whose opening quote is next and returns where its closing quote is;
/// only meaningful when no error occurred.
const char* JsonReader::pass_string() noexcept {
    const char* const opening = at_;
    const char* at = at_ + 1;
    escaped_ = false;
    for (;;) {
        at = detail::find_special(at, end_);
        if (at == end_) {
            fail("Unterminated string starting at", opening);
            return at;
        }
        if (*at == '"') {
            at_ = at + 1;
            return at;
        }
        const char* next = at;
        if (*at == '\\') {
            escaped_ = true;
            next = pass_escape(at, opening);
        } else if (static_cast<unsigned char>(*at) >= 0x80) {
            next = detail::non_ascii_run_end(at, end_);
            if (next == at) {
                fail("Invalid UTF-8", at);
            }
        } else {
            fail("Invalid control character at", at);
        }
        if (next == at) {
            return at;
        }
        at = next;
    }
}

/// Fills the scratch text with what the checked text in [from, to) stands for.
void JsonReader::unescape(const char* from, const char* to) {
    scratch_.clear();
    while (from != to) {
        const auto left = static_cast<std::size_t>(to - from);
        const void* const found = std::memchr(from, '\\', left);
        const char* const at = found == nullptr ? to : static_cast<const char*>(found);
        scratch_.append(from, static_cast<std::size_t>(at - from));
        if (at == to) {
            return;
        }
        if (at[1] != 'u') {
            scratch_.push_back(simple_escape(at[1]));
            from = at + 2;
            continue;
        }
        char32_t code_point = hex4(at + 2);
        from = at + 6;
        if (is_high_surrogate(code_point) && to - from >= 6 && from[0] == '\\' && from[1] == 'u') {
            const char32_t low = hex4(from + 2);
            if (is_low_surrogate(low)) {
                code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (low - 0xDC00);
                from += 6;
            }
        }
        surrogate_ = surrogate_ || is_high_surrogate(code_point) || is_low_surrogate(code_point);
        append_code_point(scratch_, code_point);
    }
}

std::string_view JsonReader::read_string() {
    surrogate_ = false;
    if (peek() == JsonToken::error) {
        return {};
    }
    if (*at_ != '"') {
        fail(kExpectingValue, at_);
        return {};
    }
    const char* const start = at_ + 1;
    const char* const closing = pass_string();
    if (!ok()) {
        return {};
    }
    if (!escaped_) {
        return {start, static_cast<std::size_t>(closing - start)};
    }
    unescape(start, closing);
    return scratch_;
}

bool JsonReader::pass_scalar() noexcept {
    switch (*at_) {
        case '"':
            pass_string();
            return ok();
        case 't':
            return match("true");
        case 'f':
            return match("false");
        case 'n':
            return match("null");
        default:
            return pass_number();
    }
}

std::string_view JsonReader::skip() noexcept {
    if (peek() == JsonToken::error) {
        return {};
    }
    const char* const start = at_;
    // One bit per open container, set for an object: what a call stack would remember.
    std::array<std::uint64_t, kMaxJsonDepth / 64> is_object;
    const std::uint32_t base = depth_;
    do {
        const JsonToken token = peek();
        if (token == JsonToken::object || token == JsonToken::array) {
            if (!enter(*at_)) {
                return {};
            }
            const std::uint32_t level = depth_ - base - 1;
            const std::uint64_t bit = std::uint64_t{1} << (level % 64);
            std::uint64_t& word = is_object[level / 64];
            word = level % 64 == 0 ? 0 : word;
            word = token == JsonToken::object ? word | bit : word & ~bit;
        } else if (token == JsonToken::error || !pass_scalar()) {
            return {};
        }
        // Find the next value: close every container that ends here.
        while (depth_ != base) {
            const std::uint32_t level = depth_ - base - 1;
            const bool object = ((is_object[level / 64] >> (level % 64)) & 1U) != 0;
            if (!advance(object ? '}' : ']', object ? kExpectingName : kExpectingValue)) {
                if (!ok()) {
                    return {};
                }
                continue;
            }
            if (!object) {
                break;
            }
            if (at_ == end_ || *at_ != '"') {
                fail(kExpectingName, at_);
                return {};
            }
            pass_string();
            skip_blanks();
            if (ok() && (at_ == end_ || *at_ != ':')) {
                fail(kExpectingColon, at_);
            }
            if (!ok()) {
                return {};
            }
            ++at_;
            break;
        }
    } while (depth_ != base);
    return {start, static_cast<std::size_t>(at_ - start)};
}

bool JsonReader::finish() noexcept {
    if (!ok()) {
        return false;
    }
    skip_blanks();
    if (at_ != end_) {
        fail("Extra data", at_);
    }
    return ok();
}

std::size_t JsonReader::error_char() const noexcept {
    return utf8_length({begin_, error_.offset});
}

std::string JsonReader::error_text() const {
    if (ok()) {
        return {};
    }
    const std::string_view before(begin_, error_.offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::string_view on_line =
        newline == std::string_view::npos ? before : before.substr(newline + 1);
    std::string text(error_.what);
    text += ": line " + std::to_string(line) + " column ";
    text += std::to_string(utf8_length(on_line) + 1) + " (char ";
    text += std::to_string(utf8_length(before)) + ")";
    return text;
}

}  // namespace v0
}  // namespace openenv
