// SPDX-License-Identifier: Apache-2.0
// What the logarithms and the inverse hyperbolic functions of float share.
#ifndef LANEWISE_MATHLIB_FLOAT_LOGARITHM_H
#define LANEWISE_MATHLIB_FLOAT_LOGARITHM_H

#include "arithmetic.h"
#include "float/constants.h"

// x = 2^exponent * (1 + fraction) exactly, with 1 + fraction from sqrt(1/2) to sqrt(2).
typedef struct {
  i32 exponent;
  float fraction;
} binary_partsf;

// For positive normal numbers; any other gives some finite numbers.
PRIVATE binary_partsf normal_binary_partsf(float x) {
  u32 above = bits_f(x) - 0x3f3504f3; // sqrt(1/2)
  return (binary_partsf){(i32)above >> 23, from_bits_f((above & 0x7fffff) + 0x3f3504f3) - 1.0f};
}

// For positive numbers; any other gives some finite numbers.
PRIVATE binary_partsf binary_partsf_of(float x) {
  int denormal = x < 0x1p-126f;
  binary_partsf parts = normal_binary_partsf(denormal ? x * 0x1p23f : x);
  parts.exponent -= denormal ? 23 : 0;
  return parts;
}

// (ln(1 + f) - f + f^2 / 2) / f^3 for 1 + f from sqrt(1/2) to sqrt(2), by Estrin's scheme: minimax, error 2^-27.3
// relative to the logarithm.
PRIVATE float logarithm_cubic_termsf(float f) {
  float square = f * f;
  float p = madf(madf(-0x1.38df06p-4f, f, 0x1.056d02p-3f), square, madf(-0x1.0d854cp-3f, f, 0x1.22d78p-3f));
  float q = madf(madf(-0x1.54720ap-3f, f, 0x1.99a028p-3f), square, madf(-0x1.000228p-2f, f, 0x1.555554p-2f));
  return madf(p, square * square, q);
}

// ln(1 + f) - f for 1 + f from sqrt(1/2) to sqrt(2).
PRIVATE float logarithm_restf(float f) { return f * f * madf(f, logarithm_cubic_termsf(f), -0.5f); }

// ln(x) for positive finite x, as a sum that is still to be rounded; any other gives some numbers.
PRIVATE pairf natural_logarithmf(float x) {
  binary_partsf parts = binary_partsf_of(x);
  float n = (float)parts.exponent, f = parts.fraction;
  pairf main = fast_two_sumf(n * LN_2_HIGH_F, f);
  return (pairf){main.high, main.low + madf(n, LN_2_LOW_F, logarithm_restf(f))};
}

// The logarithm of x, or where x is not positive or not finite, what stands for it.
PRIVATE float logarithm_or_edgef(float x, float logarithm) {
  float edge = x < 0.0f ? NANF : x; // infinity and NaN stay
  edge = x == 0.0f ? -INFINITYF : edge;
  return bits_f(x) - 1 < 0x7f7fffff ? logarithm : edge;
}

// ln(1 + high + low), where |low| is less than an ulp of high or of 1, and high > -1 and finite.
PRIVATE float log1p_of_pairf(float high, float low) {
  pairf sum = two_sumf(1.0f, high);
  binary_partsf parts = normal_binary_partsf(sum.high);
  i32 exponent = parts.exponent;
  float n = (float)exponent;
  // What the sum has lost, in units of 2^exponent; beyond 2^126, nothing that counts.
  float lost = (sum.low + low) * power_of_twof(-(exponent > 126 ? 126 : exponent));
  float f = parts.fraction + lost;
  float f_low = lost - (f - parts.fraction);
  float rest = madf(f_low, 1.0f - f, logarithm_restf(f)); // 1 - f is the derivative 1 / (1 + f), near enough
  pairf main = fast_two_sumf(n * LN_2_HIGH_F, f);
  return main.high + (main.low + madf(n, LN_2_LOW_F, rest));
}

#endif
