#pragma once

namespace classic_control {

/// Where NumPy rounds otherwise than C++ code would: what each of its expressions gives, to the
/// last bit. Its double precision sine and cosine are the C library's, and need nothing here.

/// `x ** 2`: the C library's pow, which differs from x * x by one bit now and then.
[[nodiscard]] double squared(double x);
[[nodiscard]] float squared(float x);

/// `x % divisor` for a positive divisor: at least 0, less than the divisor.
[[nodiscard]] double modulo(double x, double divisor);

/// Sine and cosine of single precision: NumPy's own, as it computes them on processors with fused
/// multiplication and addition.
[[nodiscard]] float single_sin(float x);
[[nodiscard]] float single_cos(float x);

}  // namespace classic_control
