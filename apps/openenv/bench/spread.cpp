#include "bench/spread.hpp"

#include "bench/report.hpp"

#include <algorithm>

namespace openenv::bench {

Spread spread_of(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    const bool is_odd = values.size() % 2 == 1;
    const double median = is_odd ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

Json to_json(const Spread& spread) {
    return Json::object(
        {{"median", rounded(spread.median, 1e-6)},
         {"lowest", rounded(spread.lowest, 1e-6)},
         {"highest", rounded(spread.highest, 1e-6)}}
    );
}

}  // namespace openenv::bench
