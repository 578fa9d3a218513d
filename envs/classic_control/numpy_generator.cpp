#include "numpy_generator.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace classic_control {
namespace {

/// NumPy's SeedSequence for a seed of up to 64 bits: four words in which every bit of the seed
/// counts, and the numbers drawn from them.
class SeedSequence {
public:
    explicit SeedSequence(std::uint64_t seed) {
        const std::array<std::uint32_t, 4> words = {
            static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U), 0, 0};
        for (std::size_t i = 0; i != pool_.size(); ++i) {
            pool_[i] = hashed(words[i]);
        }
        for (std::size_t from = 0; from != pool_.size(); ++from) {
            for (std::size_t to = 0; to != pool_.size(); ++to) {
                if (from != to) {
                    pool_[to] = mixed(pool_[to], hashed(pool_[from]));
                }
            }
        }
    }

    std::uint64_t next() {
        const std::uint64_t low = next_word();
        return std::uint64_t{next_word()} << 32U | low;
    }

private:
    std::uint32_t hashed(std::uint32_t value) {
        value ^= hash_;
        hash_ *= 0x931E8875U;
        value *= hash_;
        return value ^ value >> 16U;
    }

    static std::uint32_t mixed(std::uint32_t left, std::uint32_t right) {
        const std::uint32_t value = 0xCA01F9DDU * left - 0x4973F715U * right;
        return value ^ value >> 16U;
    }

    std::uint32_t next_word() {
        std::uint32_t value = pool_[taken_ % pool_.size()] ^ output_hash_;
        ++taken_;
        output_hash_ *= 0x58F38DEDU;
        value *= output_hash_;
        return value ^ value >> 16U;
    }

    std::array<std::uint32_t, 4> pool_{};
    std::uint32_t hash_ = 0x43B0D7E5U;
    std::uint32_t output_hash_ = 0x8B51F9DDU;
    std::size_t taken_ = 0;
};

}  // namespace

NumpyGenerator::NumpyGenerator(std::uint64_t seed) {
    SeedSequence sequence(seed);
    const Uint128 start_high = sequence.next();
    const Uint128 start = start_high << 64U | sequence.next();
    const Uint128 stream_high = sequence.next();
    const Uint128 stream = stream_high << 64U | sequence.next();
    increment_ = stream << 1U | 1U;
    advance();
    state_ += start;
    advance();
}

double NumpyGenerator::uniform(double low, double high) {
    constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
    return low + (high - low) * (static_cast<double>(next() >> 11U) * kUnit);
}

std::uint64_t NumpyGenerator::next() {
    advance();
    const auto high = static_cast<std::uint64_t>(state_ >> 64U);
    const auto low = static_cast<std::uint64_t>(state_);
    return std::rotr(high ^ low, static_cast<int>(high >> 58U));
}

void NumpyGenerator::advance() {
    constexpr Uint128 kMultiplier =
        Uint128{2549297995355413924U} << 64U | Uint128{4865540595714422341U};
    state_ = state_ * kMultiplier + increment_;
}

}  // namespace classic_control
