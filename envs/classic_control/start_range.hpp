#pragma once

namespace classic_control {

/// Refuses a range that no start can be drawn from, before anything has changed.
/// Errors: throws UserError when low is above high, or when they are too far apart to subtract.
void require_start_range(double low, double high);

}  // namespace classic_control
