// SPDX-License-Identifier: Apache-2.0
// logf, log2f, log10f, log1pf.
//
// With x = 2^e * (1 + f), the logarithm is e units and a polynomial of f, whose sum needs no low parts. Where 1 + f starts
// is chosen so that the polynomial isn't above 1/2 where that would cost bits of a smaller sum: at 2/3, or for log2f at
// sqrt(1/2).
#include "hardware/instructions.h"

#define TWO_THIRDS 0x3f2aaaab
#define ROOT_OF_HALF 0x3f3504f3

// x = 2^exponent * (1 + fraction), for positive finite x. `normal` is x, or if that is denormal or negative, x * 2^23.
typedef struct {
  float exponent_bits; // exponent * 2^23
  float fraction, normal;
} partsf;

PRIVATE partsf parts_of(float x, u32 least_significand) {
  int small = x < 0x1p-126f;
  float normal = small ? x * 0x1p23f : x;
  u32 exponent = (bits_f(normal) - least_significand) & 0xff800000;
  float fraction = from_bits_f(bits_f(normal) - exponent) - 1.0f;
  return (partsf){(float)(i32)(exponent - (small ? 23u << 23 : 0)), fraction, normal};
}

// The logarithm of x, or what the instruction says of zero, negative numbers, infinity and NaN. `x` isn't denormal.
PRIVATE float unless_special(float x, float logarithm) {
  return bits_f(x) - 1 < 0x7f7fffff ? logarithm : approximate_log2_flushedf(x);
}

#define LN_2_PER_BIT 0x1.62e43p-24f // ln 2 * 2^-23

// (ln(1 + f) - f) / f^2: minimax, error 2^-27.7 relative to the logarithm.
PRIVATE float beyond_linearf(float f) {
  static const float Q[] = {-0.5f,           0x1.555506p-2f,  -0x1.fffefap-3f, 0x1.99d05cp-3f, -0x1.559c2ep-3f,
                            0x1.1ed452p-3f, -0x1.f33c6ap-4f, 0x1.1e72a2p-3f,  -0x1.07aa58p-3f};
  return POLYNOMIALF(f, Q);
}

PUBLIC float logf(float x) {
  partsf parts = parts_of(x, TWO_THIRDS);
  float f = parts.fraction, near_one = madf(f * f, beyond_linearf(f), f);
  return unless_special(parts.normal, madf(parts.exponent_bits, LN_2_PER_BIT, near_one));
}

// log2(1 + f) = f * (0x1.715476p0 + R(f)), log10 alike: minimax, errors 2^-27.7 and 2^-27.1 relative to the logarithm.
PUBLIC float log2f(float x) {
  static const float R[] = {0x1.49daecp-26f, -0x1.71547p-1f,  0x1.ec7094p-2f,  -0x1.715af2p-2f, 0x1.277f66p-2f,
                            -0x1.eaa75ep-3f, 0x1.a2c694p-3f, -0x1.87b68ep-3f, 0x1.7f1848p-3f,  -0x1.c4f0eep-4f};
  partsf parts = parts_of(x, ROOT_OF_HALF);
  float f = parts.fraction, near_one = madf(f, 0x1.715476p0f, f * POLYNOMIALF(f, R));
  return unless_special(parts.normal, madf(parts.exponent_bits, 0x1p-23f, near_one));
}

PUBLIC float log10f(float x) {
  static const float R[] = {-0x1.200d44p-27f, -0x1.bcb7b2p-3f, 0x1.287a1p-3f,   -0x1.bcb622p-4f, 0x1.63feep-4f,
                            -0x1.28c96ap-4f,  0x1.f16206p-5f,  -0x1.b03714p-5f, 0x1.f54186p-5f,  -0x1.cf2b14p-5f};
  partsf parts = parts_of(x, TWO_THIRDS);
  float f = parts.fraction, e = parts.exponent_bits; // lg 2 is 0x1.344136p-2 - 0x1.ec10cp-27
  float near_one = madf(f, 0x1.bcb7b2p-2f, madf(e, -0x1.ec10cp-50f, f * POLYNOMIALF(f, R)));
  return unless_special(parts.normal, madf(e, 0x1.344136p-25f, near_one));
}

// 1 + x = 2^e * (1 + f) with e from the rounded sum, and f = x * 2^-e + (2^-e - 1), of which what rounding takes counts by
// the derivative, for which 1 will do. The power of two is kept four times as great, so that it is normal for the greatest
// x as well.
PUBLIC float log1pf(float x) {
  float sum = x + 1.0f;
  u32 exponent = (bits_f(sum) - TWO_THIRDS) & 0xff800000;
  float scale = from_bits_f(0x40800000 - exponent), quarter = 0.25f * x;
  float less = madf(scale, 0.25f, -1.0f), f = madf(quarter, scale, less), low = madf(quarter, scale, less - f);
  float near_one = madf(f * f, beyond_linearf(f), low) + f;
  float result = unless_special(sum, madf((float)(i32)exponent, LN_2_PER_BIT, near_one));
  return __builtin_fabsf(x) < 0x1p-25f ? x : result;
}
