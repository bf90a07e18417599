// SPDX-License-Identifier: Apache-2.0
// Stand-ins for the approximate instructions that GPUs have, on devices that have none: about as exact as the PTX ISA
// says of those ("Floating Point Instructions"), and as few operations as that takes.
//
// Polynomials: least maxima of the error by Lawson's weights (Lawson, Contributions to the theory of linear least
// maximum approximation, 1961), coefficients then rounded to float. Measured errors, with fused operations and without:
//   sin, cos   2^-22.8, absolute, in [-pi, pi]
//   exp2       2^-22.3, relative
//   log2       2^-21.3, relative
//   tanh       2^-22.0, relative
#include "float/exponential.h"

// Adding this rounds to an integer, which is then in the low bits of the sum.
#define ROUNDER ROUNDER_F

// sin(rest) with the sign of (-1)^count. x = count * pi + rest loses its meaning from 2^22 on: it still is bounded.
// Relative to x^3, least maximum on [0, pi / 2]: 2^-27.7 absolute.
PRIVATE float alternating_sinef(float rest, u32 count) {
  float bounded = rest > 0x1.921fb6p0f ? 0x1.921fb6p0f : rest < -0x1.921fb6p0f ? -0x1.921fb6p0f : rest;
  float square = bounded * bounded;
  float series = madf(square, 0x1.5cf932p-19f, -0x1.9f5ff4p-13f);
  series = madf(square, madf(square, series, 0x1.110e6ap-7f), -0x1.555548p-3f);
  return from_bits_f(bits_f(madf(bounded * square, series, bounded)) ^ count << 31);
}
// x - half_turns * pi, pi in pieces of 8, 12 and 24 bits.
PRIVATE float subtract_half_turnsf(float x, float half_turns) {
  return madf(half_turns, -0x1.110b46p-25f, madf(half_turns, -0x1.fb5p-11f, madf(half_turns, -0x1.92p1f, x)));
}

PUBLIC float __lw_fast_sinf(float x) {
  float shifted = madf(x, 0x1.45f306p-2f, ROUNDER);
  return alternating_sinef(subtract_half_turnsf(x, shifted - ROUNDER), bits_f(shifted));
}
// By cos(x) = -(-1)^n sin(x - (n + 1/2) pi).
PUBLIC float __lw_fast_cosf(float x) {
  float shifted = madf(x, 0x1.45f306p-2f, -0.5f) + ROUNDER;
  return alternating_sinef(subtract_half_turnsf(x, (shifted - ROUNDER) + 0.5f), bits_f(shifted) + 1);
}

// 2^x by 2^fraction on [-1/2, 1/2] (relative error 2^-23.4), scaled by a power of two. Below denormals that multiplies 0,
// which is quicker than to round another number to it.
PUBLIC float __lw_fast_exp2f(float x) {
  static const float LEAST = -152.0f;
  float bounded = x > 129.0f ? 129.0f : x < LEAST ? LEAST : x;
  float shifted = bounded + ROUNDER, fraction = bounded - (shifted - ROUNDER);
  float series = madf(fraction, 0x1.5bba14p-10f, 0x1.3cea88p-7f);
  series = madf(fraction, madf(fraction, series, 0x1.c6b752p-5f), 0x1.ebf9bcp-3f);
  series = madf(fraction, madf(fraction, series, 0x1.62e42ap-1f), 1.0f);
  return __lw_scale_by_power_of_twof(x < LEAST ? 0.0f : series, shifted);
}

// With x = 2^count * (1 + rest), 1 + rest from sqrt(1/2) to sqrt(2). Relative error of the polynomial: 2^-22.5.
PUBLIC float __lw_fast_log2f(float x) {
  i32 denormal = x < 0x1p-126f;
  u32 number = bits_f(denormal ? x * 0x1p23f : x);
  i32 count = (i32)(number - 0x3f3504f3) >> 23;
  float rest = from_bits_f(number - ((u32)count << 23)) - 1.0f;
  float series = madf(rest, -0x1.2aa008p-3f, 0x1.df5296p-3f);
  series = madf(rest, madf(rest, series, -0x1.fdb352p-3f), 0x1.25fd26p-2f);
  series = madf(rest, madf(rest, series, -0x1.70e2a6p-2f), 0x1.ec7724p-2f);
  series = madf(rest, madf(rest, series, -0x1.715528p-1f), 0x1.715474p0f);
  float logarithm = madf(rest, series, (float)(denormal ? count - 23 : count));
  float special = x == 0.0f ? -INFINITYF : x > 0.0f ? INFINITYF : NANF;
  return x > 0.0f && x < INFINITYF ? logarithm : special;
}

// An odd polynomial up to 0.6 (relative error 2^-23.5); beyond, 1 - 2 / (e^(2 x) + 1).
PUBLIC float __lw_fast_tanhf(float x) {
  float size = __builtin_fabsf(x), square = x * x;
  float series = madf(square, 0x1.ff9838p-7f, -0x1.abb818p-5f);
  series = madf(square, madf(square, series, 0x1.10a712p-3f), -0x1.555368p-2f);
  float near = madf(x * square, series, x);
  float far = 1.0f - 2.0f / (__lw_fast_exp2f(size * 0x1.715476p1f) + 1.0f);
  return size < 0.6f ? near : __builtin_copysignf(far, x);
}
