#pragma once

#include <cmath>
#include <optional>
#include <string>

namespace classic_control {

/// A check for a field: what is no finite number belongs to no range of actions.
inline std::optional<std::string> finite_number(float value) {
    if (std::isfinite(value)) {
        return std::nullopt;
    }
    return "the action must be a finite number";
}

}  // namespace classic_control
