// SPDX-License-Identifier: Apache-2.0
// log.
#include "double/logarithm.h"
#include "reciprocal.h"

// x = 2^k (1 + f) with 1 + f from sqrt(1/2) to sqrt(2). With s = f / (2 + f), log(1 + f) = 2 artanh(s) is f - s (f - R),
// where s R = 2 (artanh(s) - s). Exponents are kept 2^20 times as great, as the upper halves of numbers have them.
PUBLIC double log(double x) {
  int small = x < 0x1p-1022;
  double normal = small ? x * 0x1p54 : x;
  u32 high = bits(normal) >> 32, exponent = (high - 0x3fe6a09e) & 0xfff00000;
  double k = (double)(i32)(exponent - (small ? 54u << 20 : 0));
  double f = from_bits((u64)(high - exponent) << 32 | (u32)bits(normal)) - 1;
  double s = f * reciprocal(f + 2), rest = logarithm_beyond_linear(s * s) - f;
  double near_one = f + mad(s, rest, k * (LN2_LOW * 0x1p-20));
  double special = x == 0 ? -INFINITY : x < 0 ? NAN : x;
  return high - 0x00100000 < 0x7fe00000 ? mad(k, LN2_HIGH * 0x1p-20, near_one) : special;
}
