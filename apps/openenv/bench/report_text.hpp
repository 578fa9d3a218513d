#pragma once

#include "bench/report.hpp"

#include <string>

namespace openenv::bench {

/// "38 us", "1.25 ms", "12.3 s".
[[nodiscard]] std::string time_text(Nanoseconds time);

/// "71,234".
[[nodiscard]] std::string count_text(std::uint64_t count);

/// The failures, a line for each kind behind `indent`; what servers said is safe to print.
[[nodiscard]] std::string failures_text(const FailureTally& failures, std::string_view indent);

/// What a person reads. Ends with a line break; safe to print.
[[nodiscard]] std::string report_text(const Report& report);

}  // namespace openenv::bench
