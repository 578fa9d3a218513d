#include "start_range.hpp"

#include <openenv/base/error.hpp>
#include <openenv/base/json.hpp>

#include <cmath>
#include <string>

namespace classic_control {

void require_start_range(double low, double high) {
    const auto text = [](double number) { return openenv::Json(number).dump(); };
    if (low > high) {
        throw openenv::UserError(
            "the lower bound of the start, " + text(low) + ", is above the upper bound, " +
            text(high)
        );
    }
    if (!std::isfinite(high - low)) {
        throw openenv::UserError(
            "the bounds of the start must be finite numbers, and not too far apart for their "
            "difference to be one"
        );
    }
}

}  // namespace classic_control
