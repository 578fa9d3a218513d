#pragma once

#include "server/context.hpp"
#include "server/metrics_text.hpp"

#include <string>

namespace openenv {
inline namespace v0 {
namespace server {

/// The body of GET /metrics. docs/operating.md tells what each metric means.
[[nodiscard]] std::string metrics_of(const Context& context);

}  // namespace server
}  // namespace v0
}  // namespace openenv
