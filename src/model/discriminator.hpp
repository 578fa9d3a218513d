#pragma once

#include <openenv/model/type_info.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace openenv {
inline namespace v0 {
namespace model {

/// The field that tells the structs of a union apart, and its text in each of them.
struct Discriminator {
    std::string_view name;
    std::vector<std::string_view> tags;
};

/// Finds a field that every struct of the union has and that has one possible text in each, a
/// different one everywhere. Nothing when there is none or not all alternatives are structs.
std::optional<Discriminator> find_discriminator(const UnionInfo& info);

}  // namespace model
}  // namespace v0
}  // namespace openenv
