#pragma once

#include "bench/trouble.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace openenv::bench {

/// How many sessions failed for one reason, and what was said the first time.
struct Failures {
    Reason reason = Reason::closed;
    std::string code = {};  ///< of error frames
    std::uint64_t count = 0;
    std::string example = {};
};

/// Counts failures by reason and code, in the order in which they were first seen.
class FailureTally {
public:
    /// The codes come from the server: of more than this many different ones the rest is counted
    /// under the code "...".
    static constexpr std::size_t kMostKinds = 64;

    void add(const Trouble& trouble, std::uint64_t sessions = 1);

    [[nodiscard]] const std::vector<Failures>& kinds() const noexcept { return kinds_; }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    std::vector<Failures> kinds_;
    std::uint64_t count_ = 0;
};

}  // namespace openenv::bench
