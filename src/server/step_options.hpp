#pragma once

#include <openenv/base/json.hpp>
#include <openenv/env/options.hpp>

#include <optional>
#include <string_view>

namespace openenv {
inline namespace v0 {
namespace server {

/// What a caller said beside the action; `extra` is the text of a JSON object, or empty.
[[nodiscard]] inline StepOptions step_options(
    std::string_view extra, std::optional<double> timeout_s
) {
    StepOptions options;
    options.timeout_s = timeout_s;
    if (!extra.empty()) {
        options.extra = Json::parse(extra);
    }
    return options;
}

}  // namespace server
}  // namespace v0
}  // namespace openenv
