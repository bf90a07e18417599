// SPDX-License-Identifier: Apache-2.0
// What the exponential functions of float share: argument reduction, the polynomials, scaling by a power of two.
#ifndef LANEWISE_MATHLIB_FLOAT_EXPONENTIAL_H
#define LANEWISE_MATHLIB_FLOAT_EXPONENTIAL_H

#include "arithmetic.h"
#include "float/constants.h"

// Added to a number below 2^22, it leaves no bit for a fraction: the sum is rounded to an integer, and its lowest bits
// are that integer's.
#define ROUNDER_F 0x1.8p23f

PRIVATE float clampf(float x, float least, float most) {
  x = x < least ? least : x;
  return x > most ? most : x;
}

// x = n * ln 2 + near + low for |x| < 175, where near is exact and |near + low| <= 0.3473. NaN gives NaN.
typedef struct {
  float near, low;
  float shifted; // n + ROUNDER_F
} natural_reduction;

PRIVATE natural_reduction reduce_by_ln_2f(float x) {
  float shifted = madf(x, LOG2_E_F, ROUNDER_F);
  float n = shifted - ROUNDER_F;
  // The product is exact. So is the difference: a multiple of the last bit of x or of LN_2_HIGH_F, and small.
  return (natural_reduction){madf(-n, LN_2_HIGH_F, x), n * -LN_2_LOW_F, shifted};
}

// e^(near + low) - 1 - near. The polynomial is (e^r - 1 - r - r^2 / 2) / r^3 for |r| <= 0.3474: minimax, error 2^-31.1
// relative to e^r - 1.
PRIVATE float exponential_restf(float near, float low) {
  float r = near + low, square = r * r;
  float p = madf(0x1.6d3a92p-10f, r, 0x1.1112d4p-7f), q = madf(0x1.5554f8p-5f, r, 0x1.555554p-3f);
  p = madf(madf(0x1.9e7d34p-13f, square, p), square, q);
  return madf(square, 0.5f, madf(square * r, p, low));
}

// e^x / 2 + summand; halved, because 2^128 is no float. For a summand of size 1/2 and x >= 0 the high part is right to
// its last bit; below, what the first sum loses is left out, which is less than the last bit of 1/2.
PRIVATE pairf half_exponential_plusf(natural_reduction reduced, float summand) {
  float power = from_bits_f((bits_f(reduced.shifted) + 126) << 23); // 2^(n-1)
  pairf constant = fast_two_sumf(power, summand), main = fast_two_sumf(constant.high, power * reduced.near);
  float rest = exponential_restf(reduced.near, reduced.low);
  return fast_two_sumf(main.high, madf(power, rest, main.low + constant.low));
}

// 2^r = 1 + r * p(r): minimax for |r| <= 0.501, error 2^-28.3 relative to 2^r. By Estrin's scheme.
PRIVATE float exp2_near_zerof(float r) {
  float square = r * r;
  float p = madf(madf(0x1.416d0ep-13f, r, 0x1.5f09a6p-10f), square, madf(0x1.3b2dep-7f, r, 0x1.c6af7ap-5f));
  p = madf(p, square, madf(0x1.ebfbdcp-3f, r, 0x1.62e43p-1f));
  return madf(p, r, 1.0f);
}

// value * 2^n, where shifted is n + ROUNDER_F, n is from -252 to 254, and value is 0 or not far from 1. NaN gives NaN.
__attribute__((const)) float __lw_scale_by_power_of_twof(float value, float shifted);

#endif
