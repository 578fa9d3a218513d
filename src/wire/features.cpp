#include <openenv/base/ascii.hpp>
#include <openenv/wire/features.hpp>

#include <algorithm>

namespace openenv {
inline namespace v0 {
namespace wire {

namespace {

struct Name {
    std::string_view text;
    bool Features::*member;
};

constexpr Name kNames[] = {
    {"ids", &Features::ids}, {"deadline", &Features::deadline}, {"batch", &Features::batch}};

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view kBlanks = " \t";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

Features parse_features(std::string_view list) {
    Features features;
    while (!list.empty()) {
        const std::string_view item = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), item.size() + 1));
        const std::string wanted = ascii_lower(without_blanks(item));
        for (const Name& name : kNames) {
            features.*name.member = features.*name.member || wanted == name.text;
        }
    }
    return features;
}

std::string to_text(Features features) {
    std::string text;
    for (const Name& name : kNames) {
        if (features.*name.member) {
            text += text.empty() ? "" : ", ";
            text += name.text;
        }
    }
    return text;
}

}  // namespace wire
}  // namespace v0
}  // namespace openenv
