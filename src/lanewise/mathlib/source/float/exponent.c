// SPDX-License-Identifier: Apache-2.0
// Exponents taken out of numbers and put into them.
#include "float/parts.h"

// x * 2^n, rounded once.
__attribute__((const)) float __lw_load_exponentf(float x, int n);

PUBLIC float ldexpf(float x, int n) {
  return __lw_load_exponentf(x, n);
}
PUBLIC float scalbnf(float x, int n) {
  return __lw_load_exponentf(x, n);
}
PUBLIC float scalblnf(float x, long n) {
  return __lw_load_exponentf(x, n < -400 ? -400 : n > 400 ? 400 : (i32)n);
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
