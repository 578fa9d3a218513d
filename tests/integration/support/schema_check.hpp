#pragma once

#include <openenv/base/json.hpp>

#include <string>
#include <vector>

namespace openenv {
namespace test {

/// Where `value` breaks `schema`, place by place; empty when it fits. Knows the words of JSON
/// Schema that our schemas use for types, properties, items and alternatives, not those of limits.
[[nodiscard]] std::vector<std::string> schema_violations(const Json& value, const Json& schema);

}  // namespace test
}  // namespace openenv
