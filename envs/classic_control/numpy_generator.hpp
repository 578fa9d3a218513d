#pragma once

#include <cstdint>

namespace classic_control {

/// NumPy's default generator: PCG64 (the 128-bit XSL-RR member of the PCG family), seeded through
/// SeedSequence. A seed gives the numbers that `numpy.random.Generator(PCG64(seed))` gives.
/// Thread: one at a time. A copy goes on with the same numbers as the original.
class NumpyGenerator {
public:
    explicit NumpyGenerator(std::uint64_t seed);

    /// A number in [low, high): low + (high - low) * u, where u has 53 random bits.
    [[nodiscard]] double uniform(double low, double high);

    [[nodiscard]] std::uint64_t next();

private:
    // __extension__, since ISO C++ knows no integers of 128 bits; gcc and clang do.
    __extension__ using Uint128 = unsigned __int128;

    void advance();

    Uint128 state_ = 0;
    Uint128 increment_ = 0;
};

}  // namespace classic_control
