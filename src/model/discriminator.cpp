#include "model/discriminator.hpp"

#include <algorithm>

namespace openenv {
inline namespace v0 {
namespace model {

namespace {

/// The only text that a field can have; empty when it can have several.
std::string_view only_text(const FieldInfo& field) noexcept {
    if (!field.type->literal.empty()) {
        return field.type->literal;
    }
    const auto& choices = field.limits.choices;
    return choices.size() == 1 && choices[0].is_text ? choices[0].text : std::string_view();
}

std::string_view tag_in(const StructInfo& info, std::string_view name) noexcept {
    for (const FieldInfo& field : info.fields) {
        if (field.name == name) {
            return only_text(field);
        }
    }
    return {};
}

}  // namespace

std::optional<Discriminator> find_discriminator(const UnionInfo& info) {
    if (info.structs.empty()) {
        return std::nullopt;
    }
    for (const FieldInfo& field : info.structs[0]->fields) {
        Discriminator found{field.name, {}};
        for (const StructInfo* const candidate : info.structs) {
            const std::string_view tag = tag_in(*candidate, field.name);
            if (tag.empty() ||
                std::find(found.tags.begin(), found.tags.end(), tag) != found.tags.end()) {
                break;
            }
            found.tags.push_back(tag);
        }
        if (found.tags.size() == info.structs.size()) {
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace model
}  // namespace v0
}  // namespace openenv
