#pragma once

#include <cstdint>
#include <string_view>

namespace wordle {

/// The secret that belongs to a seed: the same on every machine, spread evenly over the list.
[[nodiscard]] std::string_view secret_for(std::uint64_t seed);

/// Where a game without a seed gets one from.
/// Thread: one at a time; every environment has its own.
class SeedSource {
public:
    /// Starts at random.
    SeedSource();

    [[nodiscard]] std::uint64_t next() noexcept { return next_++; }

private:
    std::uint64_t next_;
};

}  // namespace wordle
