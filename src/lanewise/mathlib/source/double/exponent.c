// SPDX-License-Identifier: Apache-2.0
// Exponents taken out of numbers and put into them.
#include "double/parts.h"

// x * 2^n, rounded once.
__attribute__((const)) double __lw_load_exponent(double x, int n);

PUBLIC double ldexp(double x, int n) {
  return __lw_load_exponent(x, n);
}
PUBLIC double scalbn(double x, int n) {
  return __lw_load_exponent(x, n);
}
PUBLIC double scalbln(double x, long n) {
  return __lw_load_exponent(x, n < -2200 ? -2200 : n > 2200 ? 2200 : (i32)n);
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
