// SPDX-License-Identifier: Apache-2.0
// What logarithms are made of: log(2^k m) = k ln(2) + log(1 + f) with m = 1 + f from sqrt(1/2) to sqrt(2), and
// log(1 + f) = 2 artanh(s) where s = f / (2 + f).
#ifndef LANEWISE_MATHLIB_DOUBLE_LOGARITHM_H
#define LANEWISE_MATHLIB_DOUBLE_LOGARITHM_H

#include "double/constants.h"
#include "double/square.h"

// 2^exponent * mantissa, with a mantissa from sqrt(1/2) to sqrt(2).
typedef struct {
  double exponent, mantissa;
} binary;

// The parts of a positive number; for others, numbers of no meaning.
PRIVATE binary binary_parts(double x) {
  const u64 sqrt_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, fraction = 0x000fffffffffffff;
  u32 denormal = x < 0x1p-1022;
  u64 moved = bits(denormal ? x * 0x1p54 : x) + (one - sqrt_half);
  // The biased exponent, as the low bits of 2^52 + exponent.
  double exponent = from_bits((moved >> 52) | 0x4330000000000000) - (denormal ? 0x1p52 + 1023 + 54 : 0x1p52 + 1023);
  return (binary){exponent, from_bits((moved & fraction) + sqrt_half)};
}

// log(1 + f) - 2 s = s^3 (2/3 + 2/5 s^2 + ...), divided by s, as a function of s^2, for |s| <= 0.1716: minimax on that
// interval for an error of 2^-59.5 relative to the logarithm.
PRIVATE double logarithm_beyond_linear(double square) {
  static const double P[] = {0x1.5555555555592p-1, 0x1.999999997fef2p-2, 0x1.24924941e4de3p-2, 0x1.c71c521098a01p-3,
                             0x1.74663dd5bd069p-3, 0x1.39a1ce21d6638p-3, 0x1.2f04e40316d18p-3};
  return square * POLYNOMIAL(square, P);
}

// x^2 / 2, as square(x).
PRIVATE pair half_square(double x) {
#if LW_FUSED
  return two_product(0.5 * x, x);
#else
  pair whole = square(x);
  return (pair){0.5 * whole.high, 0.5 * whole.low};
#endif
}

// log(1 + f) for f from sqrt(1/2) - 1 to sqrt(2) - 1, with an error below 2^-56 |f|, given h = f^2/2 and what is to be
// added in the last place, at least -h.low. Since 2 s = f - s f and s f = h - s h, it is f - (h - s (h + beyond linear)).
PRIVATE pair logarithm_by_half_square(double f, double half_square, double last) {
  double s = f / (2 + f), beyond = mad(s, half_square + logarithm_beyond_linear(s * s), last);
  pair sum = fast_two_sum(f, -half_square);
  return (pair){sum.high, sum.low + beyond};
}
PRIVATE pair logarithm_near_one(double f) {
  pair half = half_square(f);
  return logarithm_by_half_square(f, half.high, -half.low);
}

// The same for a sum, whose lower part counts by the derivative, for which 1 - f + f^2 will do.
PRIVATE pair logarithm_of_sum_near_one(pair f) {
  pair half = half_square(f.high);
  return logarithm_by_half_square(f.high, half.high, mad(f.low, mad(f.high, f.high - 1, 1), -half.low));
}

// k * high + (k * low + x) as a sum that is still to be rounded, where k * high is exact, and 0 or greater than x.
PRIVATE pair add_multiple(double k, double high, double low, pair x) {
  double sum = mad(k, high, x.high), rest = x.high - mad(-k, high, sum);
  return (pair){sum, rest + mad(k, low, x.low)};
}

// log(2^k (1 + f)) with an error of 0.1 ulp beside the rounding.
PRIVATE double logarithm(double k, pair f) {
  pair sum = add_multiple(k, LN2_HIGH, LN2_LOW, logarithm_of_sum_near_one(f));
  return sum.high + sum.low;
}

// log(x) for positive finite x, as a sum that is still to be rounded; any other gives some numbers.
PRIVATE pair natural_logarithm(double x) {
  binary parts = binary_parts(x);
  return add_multiple(parts.exponent, LN2_HIGH, LN2_LOW, logarithm_near_one(parts.mantissa - 1));
}

// x = 2^k (1 + f) for a sum that is a positive normal number, with |x.low| less than half of x.high.
typedef struct {
  double k;
  pair f;
} reduced_logarithm;
PRIVATE reduced_logarithm reduce_logarithm(pair x) {
  binary parts = binary_parts(x.high);
  double twice_scale = from_bits(bits(ROUNDER + 1024 - parts.exponent) << 52);  // 2^(1 - k); 0 for k = 1024
  return (reduced_logarithm){parts.exponent, fast_two_sum(parts.mantissa - 1, x.low * (0.5 * twice_scale))};
}

// What log, log2 and log10 give for zero, negative numbers, infinity and NaN; `result` for all others.
PRIVATE double with_special_logarithms(double x, double result) {
  double special = x == 0 ? -INFINITY : x < 0 ? NAN : x;
  return x > 0 && x < INFINITY ? result : special;
}

#endif
