// SPDX-License-Identifier: Apache-2.0
// Exponents taken out of numbers and put into them.
#include "arithmetic.h"

// A number as significand times 2^exponent, the significand's exponent field being that of 1: in [1, 2), with the sign.
// Denormals are scaled first. Zero, infinities and NaN give what the caller must replace.
typedef struct {
  u32 significand;
  i32 exponent;
} parts;

PRIVATE parts take_apart(float x) {
  i32 denormal = __builtin_fabsf(x) < 0x1p-126f;
  u32 number = bits_f(denormal ? x * 0x1p24f : x);
  i32 exponent = (i32)(number >> 23 & 255) - (denormal ? 127 + 24 : 127);
  return (parts){(number & 0x807fffff) | 0x3f800000, exponent};
}
PRIVATE i32 has_parts(float x) { return (x != 0.0f) & (__builtin_fabsf(x) < INFINITYF); }

// Rounded once: up to the last multiplication, the number has an exponent in the range of normal numbers.
PUBLIC float ldexpf(float x, int n) {
  parts x_parts = take_apart(x);
  i32 shift = n < -400 ? -400 : n > 400 ? 400 : n;
  i32 exponent = x_parts.exponent + shift;
  i32 near = exponent < -126 ? exponent + 64 : exponent;
  near = near < -126 ? -126 : near > 127 ? 127 : near;
  float significand = from_bits_f(x_parts.significand);
  float scaled = significand * power_of_twof(near) * (exponent < -126 ? 0x1p-64f : exponent > 127 ? 2.0f : 1.0f);
  return has_parts(x) ? scaled : x + x;
}
PUBLIC float scalbnf(float x, int n) {
  return ldexpf(x, n);
}
PUBLIC float scalblnf(float x, long n) {
  return ldexpf(x, n < -400 ? -400 : n > 400 ? 400 : (i32)n);
}

PUBLIC float frexpf(float x, int *exponent) {
  parts x_parts = take_apart(x);
  i32 regular = has_parts(x);
  *exponent = regular ? x_parts.exponent + 1 : 0;
  return regular ? from_bits_f(x_parts.significand) * 0.5f : x + x;
}

PUBLIC float logbf(float x) {
  float special = x == 0.0f ? -INFINITYF : x * x;
  float regular = (float)take_apart(x).exponent;
  return has_parts(x) ? regular : special;
}

// As CUDA and C's FP_ILOGB0 say: the least int of zero and NaN, the greatest of infinities.
PUBLIC int ilogbf(float x) {
  i32 special = __builtin_fabsf(x) == INFINITYF ? 0x7fffffff : -0x7fffffff - 1;
  i32 regular = take_apart(x).exponent;
  return has_parts(x) ? regular : special;
}
