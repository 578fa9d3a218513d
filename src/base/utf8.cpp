#include "openenv/base/utf8.hpp"

#include "base/text_scan.hpp"

#include <algorithm>

namespace openenv {
inline namespace v0 {

std::size_t utf8_length(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::size_t utf8_valid_prefix(std::string_view text) noexcept {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (static_cast<unsigned char>(*at) < 0x80) {
            // Quotes and control characters end a plain run too; they are fine here.
            const char* const stop = detail::find_special(at, end);
            at = stop == at ? at + 1 : stop;
            continue;
        }
        const char* const stop = detail::non_ascii_run_end(at, end);
        if (stop == at) {
            break;
        }
        at = stop;
    }
    return static_cast<std::size_t>(at - text.data());
}

void append_code_point(std::string& out, char32_t code_point) {
    const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0U | (code_point >> 6U));
        put(0x80U | (code_point & 0x3FU));
    } else if (code_point < 0x10000) {
        put(0xE0U | (code_point >> 12U));
        put(0x80U | ((code_point >> 6U) & 0x3FU));
        put(0x80U | (code_point & 0x3FU));
    } else {
        put(0xF0U | (code_point >> 18U));
        put(0x80U | ((code_point >> 12U) & 0x3FU));
        put(0x80U | ((code_point >> 6U) & 0x3FU));
        put(0x80U | (code_point & 0x3FU));
    }
}

}  // namespace v0
}  // namespace openenv
