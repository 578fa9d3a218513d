#pragma once

#include <openenv/model/field.hpp>

namespace classic_control {

/// Where a car starts, in both environments with one.
struct MountainCarResetArgs {
    double low = -0.6;
    double high = -0.4;

    static constexpr auto fields = openenv::fields(
        openenv::field("low", &MountainCarResetArgs::low)
            .describe("The least position to start from")
            .or_default(),
        openenv::field("high", &MountainCarResetArgs::high)
            .describe("The bound that it stays below")
            .or_default()
    );
};

}  // namespace classic_control
