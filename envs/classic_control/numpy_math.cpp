#include "numpy_math.hpp"

#include <cmath>

namespace classic_control {
namespace {

/// x less the nearest multiple of pi/2, and which multiple that was.
struct Reduced {
    float rest;
    int quadrant;
};

Reduced reduced(float x) {
    constexpr float kTwoOverPi = 0x1.45f306p-1F;
    constexpr float kRounding = 0x1.8p+23F;  // added and subtracted, it leaves an integer
    const float turns = std::fma(x, kTwoOverPi, kRounding) - kRounding;
    // pi/2 in three parts.
    float rest = std::fma(turns, -0x1.921fb0p+0F, x);
    rest = std::fma(turns, -0x1.5110b4p-22F, rest);
    rest = std::fma(turns, -0x1.846988p-48F, rest);
    return {rest, static_cast<int>(turns)};
}

float sine_polynomial(float x) {
    const float square = x * x;
    float sum = std::fma(0x1.7d3bbcp-19F, square, -0x1.a06bbap-13F);
    sum = std::fma(sum, square, 0x1.11119ap-7F);
    sum = std::fma(sum, square, -0x1.555556p-3F);
    return std::fma(sum * square, x, x);
}

float cosine_polynomial(float x) {
    const float square = x * x;
    float sum = std::fma(0x1.98e616p-16F, square, -0x1.6c06dcp-10F);
    sum = std::fma(sum, square, 0x1.55553cp-5F);
    sum = std::fma(sum, square, -0.5F);
    return std::fma(sum, square, 1.0F);
}

/// The sine of `quadrant` right angles and `rest`.
float sine_of(float rest, int quadrant) {
    const bool odd = (quadrant & 1) != 0;
    const float value = odd ? cosine_polynomial(rest) : sine_polynomial(rest);
    return (quadrant & 2) != 0 ? 0.0F - value : value;
}

}  // namespace

double squared(double x) {
    const volatile double two = 2.0;  // volatile: compilers make x * x of pow(x, 2)
    return std::pow(x, two);
}

float squared(float x) {
    const volatile float two = 2.0F;
    return std::pow(x, two);
}

double modulo(double x, double divisor) {
    const double rest = std::fmod(x, divisor);
    return rest < 0 ? rest + divisor : std::abs(rest);
}

float single_sin(float x) {
    constexpr float kLargestReduced = 117435.992F;
    if (!(std::abs(x) <= kLargestReduced)) {
        return std::sin(x);
    }
    const Reduced parts = reduced(x);
    return sine_of(parts.rest, parts.quadrant);
}

float single_cos(float x) {
    constexpr float kLargestReduced = 71476.0625F;
    if (!(std::abs(x) <= kLargestReduced)) {
        return std::cos(x);
    }
    const Reduced parts = reduced(x);
    return sine_of(parts.rest, parts.quadrant + 1);
}

}  // namespace classic_control
