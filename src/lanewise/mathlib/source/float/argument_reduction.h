// SPDX-License-Identifier: Apache-2.0
// An angle less a whole number of right angles.
#ifndef LANEWISE_MATHLIB_FLOAT_ARGUMENT_REDUCTION_H
#define LANEWISE_MATHLIB_FLOAT_ARGUMENT_REDUCTION_H

#include "arithmetic.h"

// The angle is quadrant * pi / 2 + rest, where |rest| <= 0.8 and quadrant counts modulo 4: its other bits are noise.
typedef struct {
  pairf rest;
  u32 quadrant;
} reduced_anglef;

PRIVATE pairf nearest_pairf(double x) {
  float high = (float)x;
  return (pairf){high, (float)(x - high)};
}

// Reduces 0 <= x < 2^17, with an error of 2^-57 at most beside the rounding of rest.low. Adding 1.5 * 2^23 rounds to an
// integer, and leaves it in the low bits of the sum. Source: Cody and Waite, Software Manual for the Elementary
// Functions (1980), chapter 8.
//
// Fused: count has 17 bits. x is a multiple of 2^-24 wherever count isn't 0, the first part of pi / 2 one of 2^-23, and
// the first rest less than 1: 24 bits hold it. It is also a multiple of the last place of the second product, so that
// fast_two_sumf is exact though it may be the smaller (Boldo, Graillat, Muller, On the robustness of the 2Sum and
// Fast2Sum algorithms, 2017).
PRIVATE reduced_anglef reduce_smallf(float x) {
  float shifted = madf(x, 0x1.45f306p-1f, 0x1.8p23f), count = shifted - 0x1.8p23f;
#if LW_FUSED
  float first = __builtin_fmaf(count, -0x1.921fb6p0f, x);
  pairf second = two_productf(count, 0x1.777a5cp-25f), sum = fast_two_sumf(first, second.high);
  pairf rest = {sum.high, madf(count, 0x1.ee59dap-50f, sum.low + second.low)};
#else
  // In doubles, where the first part has 36 bits, and its product 53.
  pairf rest = nearest_pairf((x - count * 0x1.921fb5444p0) - count * 0x1.68c234c4c6629p-39);
#endif
  return (reduced_anglef){rest, bits_f(shifted)};
}

// Reduces x >= 2^17, in doubles, after Payne and Hanek, Radian reduction for trigonometric functions (1983). Of
// x / (2 pi), only the fraction counts, and so of 1 / (2 pi) only the bits below the last place of 1 / x. For the 28
// exponents from 2^a on, x is a multiple of u = 2^(a - 23), and 1 / (2 pi) is taken modulo 1 / u: 27 bits, so that the
// product is a multiple of 2^-27 and exact, 29 bits to 2^-56 / u, exact as well, and the rest as a double: x times that
// is less than 2^-6 and off by 2^-59 at most. The sum cancels only where it is exact, and no float comes closer than
// 2^-32 turns to a multiple of pi / 2.
PRIVATE reduced_anglef reduce_largef(float x) {
  int second = x >= 0x1p45f, third = x >= 0x1p73f, fourth = x >= 0x1p101f;
  double high = fourth ? 0x1.d5f47dp-80 : third ? 0x1.529fc2p-54 : second ? 0x1.b72722p-25 : 0x1.45f3p-3;
  double middle = fourth ? 0x1.34ddc0ep-106 : third ? 0x1.d5f47d4p-80 : second ? 0x1.529fc2p-54 : 0x1.b72722p-25;
  double low = fourth   ? -0x1.275a99b0ef1bfp-136
               : third  ? 0x1.a6ee06db14acdp-109
               : second ? 0x1.d5f47d4d37703p-80
                        : 0x1.529fc2757d1f5p-54;
  double product = x * high, next = x * middle, last = x * low;
  double fraction = product - __builtin_rint(product), finer = next - __builtin_rint(next);
  double shifted = ((fraction + finer) + last) * 4.0 + 0x1.8p52, count = shifted - 0x1.8p52;
  double turns = ((fraction - count * 0.25) + finer) + last;
  return (reduced_anglef){nearest_pairf(turns * 0x1.921fb54442d18p2), (u32)bits(shifted)};
}

// An angle whose rest is a float.
typedef struct {
  float rest;
  u32 quadrant;
} rounded_anglef;

// Reduces x >= 0 to a rest that is off by 1 ulp at most. NaN and infinity give NaN. As above, but the products are
// added one after another, each in one rounding where operations are fused.
PRIVATE rounded_anglef round_anglef(float x) {
#if LW_FUSED
  float shifted = madf(x, 0x1.45f306p-1f, 0x1.8p23f), count = shifted - 0x1.8p23f;
  float first = __builtin_fmaf(count, -0x1.921fb6p0f, x), second = __builtin_fmaf(count, 0x1.777a5cp-25f, first);
  rounded_anglef angle = {__builtin_fmaf(count, 0x1.ee59dap-50f, second), bits_f(shifted)};
#else
  reduced_anglef small = reduce_smallf(x);
  rounded_anglef angle = {small.rest.high, small.quadrant};
#endif
  if (__builtin_expect(x >= 0x1p17f, 0)) {
    reduced_anglef large = reduce_largef(x);
    angle = (rounded_anglef){large.rest.high, large.quadrant};
  }
  return angle;
}

// Reduces pi * x, exactly but for the product with pi. A float of 2^24 or more is an even
// number of half turns. NaN and infinity give NaN.
PRIVATE reduced_anglef reduce_half_turnsf(float x) {
  float turn = x - 2.0f * __builtin_rintf(x * 0.5f), shifted = 2.0f * turn + 0x1.8p23f;
  float part = turn - 0.5f * (shifted - 0x1.8p23f);
  pairf rest = two_productf(part, 0x1.921fb6p1f);
  rest.low = madf(part, -0x1.777a5cp-24f, rest.low);
  return (reduced_anglef){rest, bits_f(shifted)};
}

#endif
