#pragma once

#include <string_view>

namespace openenv {
inline namespace v0 {

/// The JSON text of one member of an object, found without reading the others; of a key that is
/// there twice the last. Empty when there is none, or `object` is no JSON object.
/// Lifetime: a view into `object`.
[[nodiscard]] std::string_view raw_member(std::string_view object, std::string_view key);

}  // namespace v0
}  // namespace openenv
