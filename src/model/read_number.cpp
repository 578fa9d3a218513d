#include "model/messages.hpp"
#include "openenv/model/codec.hpp"

#include <openenv/base/number_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

/// An integer of any size. `beyond` tells where it lies: in the range of int64 (0), above it but in
/// that of uint64 (1), above that (2), or below that of int64 (-1).
struct Integer {
    std::int64_t value = 0;
    std::uint64_t above = 0;
    int beyond = 0;
};

Integer to_integer(const JsonNumber& number) noexcept {
    switch (number.kind) {
        case JsonNumber::Kind::int64:
            return {number.int64, 0, 0};
        case JsonNumber::Kind::uint64:
            return {0, number.uint64, 1};
        default:
            return {0, 0, number.text.front() == '-' ? -1 : 2};
    }
}

/// What Rust, and so pydantic, takes for a blank at either end of a text.
std::string_view trim(std::string_view text) noexcept {
    constexpr std::array<std::string_view, 25> blanks = {
        "\t",           "\n",           "\v",
        "\f",           "\r",           " ",
        "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80",
        "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
        "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85",
        "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88",
        "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
        "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
        "\xE3\x80\x80"};
    const auto drop = [&](auto at_end) {
        for (const std::string_view blank : blanks) {
            if (at_end(blank)) {
                return blank.size();
            }
        }
        return std::size_t{0};
    };
    while (const std::size_t n = drop([&](std::string_view b) { return text.starts_with(b); })) {
        text.remove_prefix(n);
    }
    while (const std::size_t n = drop([&](std::string_view b) { return text.ends_with(b); })) {
        text.remove_suffix(n);
    }
    return text;
}

/// The text without its digit separators; nothing when one is out of place.
std::optional<std::string> without_underscores(std::string_view text) {
    if (text.starts_with('_') || text.ends_with('_') || text.find("__") != std::string_view::npos) {
        return std::nullopt;
    }
    std::string plain(text);
    std::erase(plain, '_');
    return plain;
}

/// An integer from a decimal text as pydantic takes it: sign, zeros in front, single underscores,
/// a fraction of zeros.
std::optional<Integer> integer_from_text(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const std::size_t point = text.find('.');
    if (point != std::string_view::npos) {
        const std::string_view fraction = text.substr(point + 1);
        if (fraction.empty() || fraction.find_first_not_of('0') != std::string_view::npos) {
            return std::nullopt;
        }
        text = text.substr(0, point);
    }
    if (text.starts_with('0')) {
        // Behind a zero, zeros and underscores may follow in any order.
        const std::size_t digit = text.find_first_not_of("0_");
        if (digit != std::string_view::npos) {
            text.remove_prefix(digit);
        } else if (text.ends_with('0')) {
            return Integer{};
        }
    }
    const std::optional<std::string> plain = without_underscores(text);
    if (!plain || plain->empty() || plain->find_first_not_of("0123456789") != std::string::npos) {
        return std::nullopt;
    }
    std::uint64_t magnitude = 0;
    const auto parsed = std::from_chars(plain->data(), plain->data() + plain->size(), magnitude);
    constexpr std::uint64_t most = std::uint64_t{1} << 63U;
    if (parsed.ec != std::errc{}) {
        return Integer{0, 0, negative ? -1 : 2};
    }
    if (negative) {
        return magnitude > most ? Integer{0, 0, -1}
                                : Integer{static_cast<std::int64_t>(~magnitude + 1), 0, 0};
    }
    return magnitude >= most ? Integer{0, magnitude, 1}
                             : Integer{static_cast<std::int64_t>(magnitude), 0, 0};
}

/// A double from a text as pydantic takes it.
std::optional<double> real_from_text(std::string_view text) {
    const std::optional<std::string> plain = without_underscores(text);
    if (!plain) {
        return std::nullopt;
    }
    std::string lower = *plain;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c;
    });
    std::string_view body = lower;
    const bool negative = body.starts_with('-');
    if (negative || body.starts_with('+')) {
        body.remove_prefix(1);
    }
    std::optional<double> value;
    if (body == "inf" || body == "infinity") {
        value = std::numeric_limits<double>::infinity();
    } else if (body == "nan") {
        value = std::numeric_limits<double>::quiet_NaN();
    } else if (!body.starts_with('-')) {
        value = parse_decimal(body);
    }
    return value && negative ? std::optional(-*value) : value;
}

/// How messages print limits: the fewest digits that tell the number, never with an exponent.
std::string message_number(const Bound& bound) {
    if (bound.kind == Bound::Kind::integer) {
        return std::to_string(bound.integer);
    }
    std::array<char, 32> buffer{};
    char* const first = buffer.data();
    const auto printed =
        std::to_chars(first, first + buffer.size(), bound.real, std::chars_format::scientific);
    const std::string_view text(first, static_cast<std::size_t>(printed.ptr - first));
    const std::size_t e = text.find('e');
    if (e == std::string_view::npos) {
        return std::string(text);  // not finite
    }
    // std::chars_format::fixed would print all digits of a large number, and not zeros.
    const bool negative = text.front() == '-';
    std::string digits(text.substr(negative ? 1 : 0, e - (negative ? 1 : 0)));
    std::erase(digits, '.');
    int exponent = 0;
    const std::size_t sign = text[e + 1] == '+' ? 1 : 0;
    std::from_chars(first + e + 1 + sign, printed.ptr, exponent);
    if (exponent < 0) {
        digits.insert(0, static_cast<std::size_t>(-exponent), '0');
        digits.insert(1, ".");
    } else if (static_cast<std::size_t>(exponent) + 1 >= digits.size()) {
        digits.append(static_cast<std::size_t>(exponent) + 1 - digits.size(), '0');
    } else {
        digits.insert(static_cast<std::size_t>(exponent) + 1, ".");
    }
    return negative ? "-" + digits : digits;
}

/// Records the error of one limit.
bool fail_bound(
    ReadContext& context,
    std::string_view type,
    std::string_view words,
    std::string_view key,
    const Bound& bound,
    std::string_view raw
) {
    return context.fail(
        type,
        "Input should be " + std::string(words) + " " + message_number(bound),
        raw,
        context_text({{key, bound_value(bound)}})
    );
}

/// Checks the limits in pydantic's order; only the first one that does not hold is reported.
/// `holds` compares the value with a limit: it is given what must hold, "<=" and so on.
template <class Holds>
bool check_bounds(
    ReadContext& context,
    const Constraints& limits,
    std::string_view raw,
    bool is_multiple,
    Holds holds
) {
    if (!is_multiple) {
        return fail_bound(
            context, "multiple_of", "a multiple of", "multiple_of", limits.multiple_of, raw
        );
    }
    if (limits.le && !holds(limits.le, "<=")) {
        return fail_bound(
            context, "less_than_equal", "less than or equal to", "le", limits.le, raw
        );
    }
    if (limits.lt && !holds(limits.lt, "<")) {
        return fail_bound(context, "less_than", "less than", "lt", limits.lt, raw);
    }
    if (limits.ge && !holds(limits.ge, ">=")) {
        return fail_bound(
            context, "greater_than_equal", "greater than or equal to", "ge", limits.ge, raw
        );
    }
    if (limits.gt && !holds(limits.gt, ">")) {
        return fail_bound(context, "greater_than", "greater than", "gt", limits.gt, raw);
    }
    return true;
}

bool is_multiple_of(const Integer& value, std::int64_t step) noexcept {
    if (step == 0 || step == -1) {
        return true;
    }
    if (value.beyond == 0) {
        return value.value % step == 0;
    }
    return value.beyond != 1 || step < 0 || value.above % static_cast<std::uint64_t>(step) == 0;
}

bool is_multiple_of(double value, double step) noexcept {
    const double rest = std::abs(std::fmod(value, step));
    const double tolerance = std::abs(value) / 1e9;
    // Written so that NaN, which infinities leave too, passes.
    return !(rest > tolerance && std::abs(rest - std::abs(step)) > tolerance);
}

bool check_integer(
    ReadContext& context, const Integer& value, const Constraints& limits, std::string_view raw
) {
    const auto holds = [&value](const Bound& bound, std::string_view order) {
        if (value.beyond != 0) {
            return (value.beyond > 0) == (order.front() == '>');
        }
        if (value.value == bound.integer) {
            return order.size() == 2;
        }
        return (value.value > bound.integer) == (order.front() == '>');
    };
    const bool multiple = !limits.multiple_of || is_multiple_of(value, limits.multiple_of.integer);
    return check_bounds(context, limits, raw, multiple, holds);
}

bool check_real(
    ReadContext& context, double value, const Constraints& limits, std::string_view raw
) {
    const auto holds = [value](const Bound& bound, std::string_view order) {
        // Nothing holds for NaN.
        return (order.size() == 2 && value == bound.real) ||
               (order.front() == '>' ? value > bound.real : value < bound.real);
    };
    const bool multiple = !limits.multiple_of || is_multiple_of(value, limits.multiple_of.real);
    return check_bounds(context, limits, raw, multiple, holds);
}

/// What an integer type cannot hold is reported as if its range were a limit.
bool check_range(
    ReadContext& context, const Integer& value, const IntegerRange& range, std::string_view raw
) {
    const bool too_small = value.beyond < 0 || (value.beyond == 0 && value.value < range.min);
    const bool too_large = value.beyond > 1 || (value.beyond == 1 && value.above > range.max) ||
                           (value.beyond == 0 && value.value > 0 &&
                            static_cast<std::uint64_t>(value.value) > range.max);
    if (too_small) {
        return context.fail(
            "greater_than_equal",
            "Input should be greater than or equal to " + std::to_string(range.min),
            raw,
            context_text({{"ge", range.min}})
        );
    }
    if (too_large) {
        return context.fail(
            "less_than_equal",
            "Input should be less than or equal to " + std::to_string(range.max),
            raw,
            context_text({{"le", range.max}})
        );
    }
    return true;
}

bool fail_integer_size(ReadContext& context, std::string_view raw) {
    return context.fail(
        "int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size", raw
    );
}

bool fail_choice(ReadContext& context, std::span<const Choice> choices, std::string_view raw) {
    std::vector<std::string> shown;
    for (const Choice& choice : choices) {
        shown.push_back(std::to_string(choice.integer));
    }
    const std::string expected = alternatives(shown);
    return context.fail(
        "literal_error", "Input should be " + expected, raw, context_text({{"expected", expected}})
    );
}

/// The integer in a JSON number; nothing after an error. Where there are choices, a number that is
/// no integer of 64 bits is just another value.
std::optional<Integer> integer_from_number(
    ReadContext& context, std::size_t start, std::span<const Choice> choices
) {
    const JsonNumber number = context.reader().read_number();
    if (!context.reader().ok()) {
        return std::nullopt;
    }
    if (number.kind != JsonNumber::Kind::real) {
        return to_integer(number);
    }
    const std::string_view raw = raw_since(context, start);
    const bool whole = number.real == std::trunc(number.real);
    if (!choices.empty() && !(whole && std::abs(number.real) < 0x1p63)) {
        fail_choice(context, choices, raw);
        return std::nullopt;
    }
    if (!std::isfinite(number.real)) {
        context.fail("finite_number", "Input should be a finite number", raw);
        return std::nullopt;
    }
    if (!whole) {
        context.fail(
            "int_from_float",
            "Input should be a valid integer, got a number with a fractional part",
            raw
        );
        return std::nullopt;
    }
    if (!(std::abs(number.real) < 0x1p63)) {
        fail_integer_size(context, raw);
        return std::nullopt;
    }
    return Integer{static_cast<std::int64_t>(number.real), 0, 0};
}

/// The integer in a JSON string; nothing after an error.
std::optional<Integer> integer_from_string(ReadContext& context, std::size_t start) {
    const std::string_view text = trim(context.reader().read_string());
    const std::string_view raw = raw_since(context, start);
    if (context.reader().has_lone_surrogate()) {
        fail_unicode(context, raw);
        return std::nullopt;
    }
    if (text.size() > kMaxIntegerDigits) {
        fail_integer_size(context, raw);
        return std::nullopt;
    }
    const std::optional<Integer> value = integer_from_text(text);
    if (!value) {
        context.fail(
            "int_parsing",
            "Input should be a valid integer, unable to parse string as an integer",
            raw
        );
    }
    return value;
}

bool check_choices(
    ReadContext& context,
    const Integer& value,
    std::span<const Choice> choices,
    std::string_view raw
) {
    const auto same = [&](const Choice& choice) {
        return value.beyond == 0 && value.value == choice.integer;
    };
    if (choices.empty() || std::any_of(choices.begin(), choices.end(), same)) {
        return true;
    }
    if (value.beyond != 0) {
        return fail_integer_size(context, raw);
    }
    return fail_choice(context, choices, raw);
}

}  // namespace

bool read_integer(
    ReadContext& context, std::uint64_t& out, const Constraints& limits, const IntegerRange& range
) {
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    const JsonToken token = reader.peek();
    if (!limits.choices.empty() && token != JsonToken::number && token != JsonToken::boolean) {
        // Where only certain integers are allowed, a text is just another value.
        const std::string_view raw = reader.skip();
        return fail_choice(context, limits.choices, raw);
    }
    std::optional<Integer> value;
    switch (token) {
        case JsonToken::number:
            value = integer_from_number(context, start, limits.choices);
            break;
        case JsonToken::boolean:
            value = Integer{reader.read_bool() ? 1 : 0, 0, 0};
            break;
        case JsonToken::string:
            value = integer_from_string(context, start);
            break;
        default:
            return context.fail_next("int_type", "Input should be a valid integer");
    }
    const std::string_view raw = raw_since(context, start);
    if (!value || !reader.ok() || !check_choices(context, *value, limits.choices, raw) ||
        !check_integer(context, *value, limits, raw) || !check_range(context, *value, range, raw)) {
        return false;
    }
    out = value->beyond == 0 ? static_cast<std::uint64_t>(value->value) : value->above;
    return true;
}

bool read_real(ReadContext& context, double& out, const Constraints& limits, double max) {
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    std::string_view raw;
    switch (reader.peek()) {
        case JsonToken::number: {
            const JsonNumber number = reader.read_number();
            raw = raw_since(context, start);
            out = number.real;
            if (number.kind == JsonNumber::Kind::big && std::isinf(number.real)) {
                return context.fail("float_type", "Input should be a valid number", raw);
            }
            break;
        }
        case JsonToken::boolean:
            out = reader.read_bool() ? 1 : 0;
            raw = raw_since(context, start);
            break;
        case JsonToken::string: {
            const std::string_view text = trim(reader.read_string());
            raw = raw_since(context, start);
            if (reader.has_lone_surrogate()) {
                return fail_unicode(context, raw);
            }
            const std::optional<double> value = real_from_text(text);
            if (!value) {
                return context.fail(
                    "float_parsing",
                    "Input should be a valid number, unable to parse string as a number",
                    raw
                );
            }
            out = *value;
            break;
        }
        default:
            return context.fail_next("float_type", "Input should be a valid number");
    }
    if (!reader.ok() || !check_real(context, out, limits, raw)) {
        return false;
    }
    if (std::isfinite(out) && std::abs(out) > max) {
        Constraints of_type;
        of_type.le = {Bound::Kind::real, 0, max};
        of_type.ge = {Bound::Kind::real, 0, -max};
        return check_real(context, out, of_type, raw);
    }
    return true;
}

bool read_bool(ReadContext& context, bool& out) {
    constexpr std::array<std::string_view, 6> yes = {"true", "1", "yes", "y", "on", "t"};
    constexpr std::array<std::string_view, 6> no = {"false", "0", "no", "n", "off", "f"};
    constexpr std::string_view wrong = "Input should be a valid boolean";
    JsonReader& reader = context.reader();
    const std::size_t start = start_of_next(context);
    double value = 2;  // neither
    switch (reader.peek()) {
        case JsonToken::boolean:
            out = reader.read_bool();
            return reader.ok();
        case JsonToken::number: {
            const JsonNumber number = reader.read_number();
            const bool small =
                number.kind == JsonNumber::Kind::int64 ||
                (number.kind == JsonNumber::Kind::real && number.real == std::trunc(number.real) &&
                 std::abs(number.real) < 0x1p63);
            if (!small) {
                return context.fail("bool_type", std::string(wrong), raw_since(context, start));
            }
            value = number.real;
            break;
        }
        case JsonToken::string: {
            const std::string_view text = reader.read_string();
            if (reader.has_lone_surrogate()) {
                return fail_unicode(context, raw_since(context, start));
            }
            std::string lower(text.substr(0, 6));
            std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c;
            });
            if (std::find(yes.begin(), yes.end(), lower) != yes.end()) {
                value = 1;
            } else if (std::find(no.begin(), no.end(), lower) != no.end()) {
                value = 0;
            }
            break;
        }
        default:
            return context.fail_next("bool_type", std::string(wrong));
    }
    if (value != 0 && value != 1) {
        return context.fail(
            "bool_parsing",
            std::string(wrong) + ", unable to interpret input",
            raw_since(context, start)
        );
    }
    out = value == 1;
    return reader.ok();
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
