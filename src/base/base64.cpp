#include "openenv/base/base64.hpp"

#include <array>

namespace openenv {
inline namespace v0 {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kBlank = 64;
constexpr std::uint8_t kPadding = 65;
constexpr std::uint8_t kInvalid = 66;

constexpr std::array<std::uint8_t, 256> make_values() {
    std::array<std::uint8_t, 256> values{};
    values.fill(kInvalid);
    for (std::size_t i = 0; i != kAlphabet.size(); ++i) {
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
    }
    values['-'] = 62;
    values['_'] = 63;
    values['='] = kPadding;
    for (const char blank : {' ', '\t', '\r', '\n'}) {
        values[static_cast<unsigned char>(blank)] = kBlank;
    }
    return values;
}

constexpr std::array<std::uint8_t, 256> kValues = make_values();

}  // namespace

void append_base64(std::string& out, std::span<const std::uint8_t> data) {
    out.reserve(out.size() + (data.size() + 2) / 3 * 4);
    std::size_t i = 0;
    for (; i + 3 <= data.size(); i += 3) {
        const unsigned group = (static_cast<unsigned>(data[i]) << 16U) |
                               (static_cast<unsigned>(data[i + 1]) << 8U) | data[i + 2];
        const char text[4] = {
            kAlphabet[group >> 18U],
            kAlphabet[(group >> 12U) & 63U],
            kAlphabet[(group >> 6U) & 63U],
            kAlphabet[group & 63U]};
        out.append(text, 4);
    }
    const std::size_t left = data.size() - i;
    if (left != 0) {
        const unsigned group = (static_cast<unsigned>(data[i]) << 16U) |
                               (left == 2 ? static_cast<unsigned>(data[i + 1]) << 8U : 0U);
        out.push_back(kAlphabet[group >> 18U]);
        out.push_back(kAlphabet[(group >> 12U) & 63U]);
        out.push_back(left == 2 ? kAlphabet[(group >> 6U) & 63U] : '=');
        out.push_back('=');
    }
}

std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text) {
    std::vector<std::uint8_t> data;
    data.reserve(text.size() / 4 * 3 + 2);
    unsigned group = 0;
    unsigned digits = 0;
    unsigned padding = 0;
    for (const char c : text) {
        const std::uint8_t value = kValues[static_cast<unsigned char>(c)];
        if (value == kBlank) {
            continue;
        }
        if (value == kPadding) {
            ++padding;
            continue;
        }
        if (value == kInvalid || padding != 0) {
            return std::nullopt;
        }
        group = (group << 6U) | value;
        if (++digits == 4) {
            data.push_back(static_cast<std::uint8_t>(group >> 16U));
            data.push_back(static_cast<std::uint8_t>((group >> 8U) & 0xFFU));
            data.push_back(static_cast<std::uint8_t>(group & 0xFFU));
            group = 0;
            digits = 0;
        }
    }
    if (digits == 1 || (padding != 0 && (digits == 0 || digits + padding != 4))) {
        return std::nullopt;
    }
    if (digits == 2) {
        data.push_back(static_cast<std::uint8_t>((group >> 4U) & 0xFFU));
    } else if (digits == 3) {
        data.push_back(static_cast<std::uint8_t>((group >> 10U) & 0xFFU));
        data.push_back(static_cast<std::uint8_t>((group >> 2U) & 0xFFU));
    }
    return data;
}

}  // namespace v0
}  // namespace openenv
