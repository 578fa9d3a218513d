#include "openenv/base/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace openenv {
inline namespace v0 {

namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// True when a decimal text that fits no double is too large rather than too small.
bool is_overflow(std::string_view text) noexcept {
    long magnitude = 0;  // the power of ten of the first significant digit
    bool seen_point = false;
    bool seen_digit = false;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
        if (text[i] == '.') {
            seen_point = true;
        } else if (is_digit(text[i])) {
            seen_digit = seen_digit || text[i] != '0';
            if (seen_digit && !seen_point) {
                ++magnitude;
            } else if (!seen_digit && seen_point) {
                --magnitude;
            }
        }
    }
    if (i == text.size()) {
        return magnitude > 0;
    }
    const bool negative = text[i + 1] == '-';
    long exponent = 0;
    for (const char c : text.substr(i + 1)) {
        if (is_digit(c)) {
            exponent = std::min(exponent * 10 + (c - '0'), 1'000'000'000L);
        }
    }
    return magnitude + (negative ? -exponent : exponent) > 0;
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) noexcept {
    const std::string_view digits = text.substr(text.substr(0, 1) == "-" ? 1 : 0);
    if (digits.empty() || (!is_digit(digits.front()) && digits.front() != '.')) {
        return std::nullopt;
    }
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ptr != end || result.ec == std::errc::invalid_argument) {
        return std::nullopt;
    }
    if (result.ec == std::errc::result_out_of_range) {
        value = is_overflow(text) ? std::numeric_limits<double>::infinity() : 0.0;
        return text.front() == '-' ? -value : value;
    }
    return value;
}

}  // namespace v0
}  // namespace openenv
