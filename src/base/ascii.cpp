#include <openenv/base/ascii.hpp>

namespace openenv {
inline namespace v0 {

namespace {
constexpr char kCaseBit = 'a' - 'A';
}

std::string ascii_lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c + kCaseBit);
        }
    }
    return out;
}

std::string ascii_upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'a' && c <= 'z') {
            c = static_cast<char>(c - kCaseBit);
        }
    }
    return out;
}

}  // namespace v0
}  // namespace openenv
