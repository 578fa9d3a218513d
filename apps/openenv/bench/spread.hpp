#pragma once

#include <openenv/base/json.hpp>

#include <vector>

namespace openenv::bench {

/// The middle of several numbers, and how far they lie apart. Of none: all zero.
struct Spread {
    double median = 0;
    double lowest = 0;
    double highest = 0;
};

[[nodiscard]] Spread spread_of(std::vector<double> values);

/// `{"median":...,"lowest":...,"highest":...}`.
[[nodiscard]] Json to_json(const Spread& spread);

}  // namespace openenv::bench
