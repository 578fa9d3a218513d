#include "secret_choice.hpp"

#include "word_list.hpp"

#include <random>

namespace wordle {
namespace {

/// The output function of SplitMix64: neighbouring seeds give unrelated numbers.
std::uint64_t mixed(std::uint64_t seed) {
    std::uint64_t value = seed + 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

}  // namespace

std::string_view secret_for(std::uint64_t seed) {
    return secret_words()[mixed(seed) % secret_words().size()];
}

SeedSource::SeedSource() {
    std::random_device device;
    next_ = (std::uint64_t{device()} << 32U) | device();
}

}  // namespace wordle
