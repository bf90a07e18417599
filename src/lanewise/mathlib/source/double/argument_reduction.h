// SPDX-License-Identifier: Apache-2.0
// An angle less a whole number of right angles.
#ifndef LANEWISE_MATHLIB_DOUBLE_ARGUMENT_REDUCTION_H
#define LANEWISE_MATHLIB_DOUBLE_ARGUMENT_REDUCTION_H

#include "arithmetic.h"

// The angle is quadrant * pi / 2 + rest, where |rest| <= 0.786 and quadrant counts modulo 4: its other bits are noise.
typedef struct {
  pair rest;
  u32 quadrant;
} reduced_angle;

// Reduces 0 <= x < 2^20, with an error of 2^-138 at most beside the rounding of rest.low. Adding 1.5 * 2^52 rounds to
// an integer, and leaves it in the low bits of the sum. Source: Cody and Waite, Software Manual for the Elementary
// Functions (1980), chapter 8.
//
// count has 20 bits. x is a multiple of 2^-53 wherever count isn't 0, the first part of pi / 2 one of 2^-49, and the
// first rest less than 1: 53 bits hold it. It is also a multiple of the last place of the second product, so that
// fast_two_sum is exact though it may be the smaller (Boldo, Graillat, Muller, On the robustness of the 2Sum and
// Fast2Sum algorithms, 2017). Without fused operations, three parts of 33 bits have exact products.
PRIVATE reduced_angle reduce_small(double x) {
  double shifted = mad(x, 0x1.45f306dc9c883p-1, 0x1.8p52), count = shifted - 0x1.8p52;
#if LW_FUSED
  double first = __builtin_fma(count, -0x1.921fb54442d18p0, x);
  pair second = two_product(count, -0x1.1a62633145c07p-54), sum = fast_two_sum(first, second.high);
  pair rest = {sum.high, mad(count, 0x1.f1976b7ed8fbcp-110, sum.low + second.low)};
#else
  double first = x - count * 0x1.921fb544p0;
  pair sum = fast_two_sum(first, count * -0x1.0b4611a6p-34);
  pair finer = fast_two_sum(sum.high, count * -0x1.3198a2ep-69);
  pair rest = {finer.high, (sum.low + finer.low) - count * 0x1.b839a252049c1p-104};
#endif
  return (reduced_angle){rest, (u32)bits(shifted)};
}

// The bits of 2 / pi, after 64 zeros for its integer part.
static const u64 two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

// Reduces x >= 2^20, after Payne and Hanek, Radian reduction for trigonometric functions (1983). x is a whole number of
// 53 bits times a power of two, by which the bits of 2 / pi are shifted; of those above the binary point, only two
// don't make whole turns. 2 bits of the product are the quadrant, and 126 the part of a right angle, off by 2^-125; no
// double comes closer than 2^-62 to a multiple of pi / 2.
PRIVATE reduced_angle reduce_large(double x) {
  u32 offset = (u32)(bits(x) >> 52) - 1013, index = offset >> 6, shift = offset & 63;
  u64 whole = (bits(x) & 0xfffffffffffff) | 0x10000000000000, window[3];
  for (u32 i = 0; i < 3; i++)
    window[i] = two_over_pi[index + i] << shift | two_over_pi[index + i + 1] >> 1 >> (63 - shift);
  unsigned __int128 product = (unsigned __int128)whole * window[1] + ((unsigned __int128)(whole * window[0]) << 64);
  product += (u64)((unsigned __int128)whole * window[2] >> 64);
  u32 quadrant = (u32)(product >> 126) + ((u32)(product >> 125) & 1);

  // The part of a right angle, from -1/2 to 1/2, in 48, 48 and 32 bits: a first sum may cancel where the first bits are
  // -1, but leaves no less than the last bits.
  unsigned __int128 part = product << 2;
  double coarse = (i64)(part >> 64) >> 16, fine = (i64)(u64)(part >> 32 & 0xffffffffffff), finest = (u32)part;
  pair sum = fast_two_sum(coarse * 0x1p-48, fine * 0x1p-96), tail = fast_two_sum(sum.high, finest * 0x1p-128);
  pair rest = two_product(tail.high, 0x1.921fb54442d18p0);
  rest.low += mad(tail.high, 0x1.1a62633145c07p-54, (tail.low + sum.low) * 0x1.921fb54442d18p0);
  rest.high += x - x; // NaN where x is infinite
  return (reduced_angle){rest, quadrant};
}

// Reduces x >= 0. NaN and infinity give NaN.
PRIVATE reduced_angle reduce_angle(double x) {
  reduced_angle angle = reduce_small(x);
  if (__builtin_expect(x >= 0x1p20, 0)) angle = reduce_large(x);
  return angle;
}

// An angle whose rest is a double.
typedef struct {
  double rest;
  u64 quadrant;
} rounded_angle;

// Reduces x >= 0 to a rest that is off by 1 ulp at most. NaN and infinity give NaN. As above, but the products are
// added one after another, each in one rounding where operations are fused. `second` is rounded once, by
// half an ulp. The last sum is `second` again, off by half an ulp more, unless that is below about 2^-36: then the sum
// is rounded, by half an ulp.
PRIVATE rounded_angle round_angle(double x) {
#if LW_FUSED
  double shifted = mad(x, 0x1.45f306dc9c883p-1, 0x1.8p52), count = shifted - 0x1.8p52;
  double first = __builtin_fma(count, -0x1.921fb54442d18p0, x);
  double second = __builtin_fma(count, -0x1.1a62633145c07p-54, first);
  rounded_angle angle = {__builtin_fma(count, 0x1.f1976b7ed8fbcp-110, second), bits(shifted)};
#else
  reduced_angle small = reduce_small(x);
  rounded_angle angle = {small.rest.high + small.rest.low, small.quadrant};
#endif
  if (__builtin_expect(x >= 0x1p20, 0)) {
    reduced_angle large = reduce_large(x);
    angle = (rounded_angle){large.rest.high + large.rest.low, large.quadrant};
  }
  return angle;
}

// Reduces pi * x, exactly but for the product with pi. A double of 2^53 or more is an even
// number of half turns. NaN and infinity give NaN.
PRIVATE reduced_angle reduce_half_turns(double x) {
  double turn = x - 2.0 * __builtin_rint(x * 0.5), shifted = 2.0 * turn + 0x1.8p52;
  double part = turn - 0.5 * (shifted - 0x1.8p52);
  pair rest = two_product(part, 0x1.921fb54442d18p1);
  rest.low = mad(part, 0x1.1a62633145c07p-53, rest.low);
  return (reduced_angle){rest, (u32)bits(shifted)};
}

#endif
