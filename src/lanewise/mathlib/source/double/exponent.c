// SPDX-License-Identifier: Apache-2.0
// Exponents taken out of numbers and put into them.
#include "arithmetic.h"

// A number as significand times 2^exponent, the significand's exponent field being that of 1: in [1, 2), with the sign.
// Denormals are scaled first. Zero, infinities and NaN give what the caller must replace.
typedef struct {
  u64 significand;
  i32 exponent;
} parts;

PRIVATE parts take_apart(double x) {
  i32 denormal = __builtin_fabs(x) < 0x1p-1022;
  u64 number = bits(denormal ? x * 0x1p54 : x);
  i32 exponent = (i32)(number >> 52 & 2047) - (denormal ? 1023 + 54 : 1023);
  return (parts){(number & 0x800fffffffffffff) | 0x3ff0000000000000, exponent};
}
PRIVATE i32 has_parts(double x) { return (x != 0.0) & (__builtin_fabs(x) < INFINITY); }

// Rounded once: up to the last multiplication, the number has an exponent in the range of normal numbers.
PUBLIC double ldexp(double x, int n) {
  parts x_parts = take_apart(x);
  i32 shift = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
  i32 exponent = x_parts.exponent + shift;
  i32 near = exponent < -1022 ? exponent + 64 : exponent;
  near = near < -1022 ? -1022 : near > 1023 ? 1023 : near;
  double significand = from_bits(x_parts.significand);
  double scaled = significand * power_of_two(near) * (exponent < -1022 ? 0x1p-64 : exponent > 1023 ? 2.0 : 1.0);
  return has_parts(x) ? scaled : x + x;
}
PUBLIC double scalbn(double x, int n) {
  return ldexp(x, n);
}
PUBLIC double scalbln(double x, long n) {
  return ldexp(x, n < -2200 ? -2200 : n > 2200 ? 2200 : (i32)n);
}

PUBLIC double frexp(double x, int *exponent) {
  parts x_parts = take_apart(x);
  i32 regular = has_parts(x);
  *exponent = regular ? x_parts.exponent + 1 : 0;
  return regular ? from_bits(x_parts.significand) * 0.5 : x + x;
}

PUBLIC double logb(double x) {
  double special = x == 0.0 ? -INFINITY : x * x;
  double regular = (double)take_apart(x).exponent;
  return has_parts(x) ? regular : special;
}

// As CUDA and C's FP_ILOGB0 say: the least int of zero and NaN, the greatest of infinities.
PUBLIC int ilogb(double x) {
  i32 special = __builtin_fabs(x) == INFINITY ? 0x7fffffff : -0x7fffffff - 1;
  i32 regular = take_apart(x).exponent;
  return has_parts(x) ? regular : special;
}
