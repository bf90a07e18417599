// SPDX-License-Identifier: Apache-2.0
// Remainders, all exact.
//
// Method: a quotient of less than 2^51 is known to less than one by a division, which gives the remainder by one exact
// multiply-add. A greater quotient is taken in steps of 51 bits: for the divisor times 2^shift first, at most 41 times.
#include "arithmetic.h"

enum { STEP = 51 };

typedef struct {
  double rest;  // of the sizes: at least 0, less than the divisor
  u32 quotient; // modulo 2^32
} division;

// Exponents, of denormals too; less than any other for zero.
PRIVATE i32 exponent_off(double size) {
  i32 denormal = size < 0x1p-1022;
  i32 field = (i32)(bits(denormal ? size * 0x1p54 : size) >> 52);
  return denormal ? field - 54 : field;
}

// dividend - quotient * divisor, where that is a double.
#if LW_FUSED
PRIVATE double subtract_product(double dividend, double quotient, double divisor) {
  return __builtin_fma(-quotient, divisor, dividend);
}
#else
// Dekker's product (see two_product), split by bits: quotient is a whole number below 2^52, so that its lower half has 26
// bits and all four products are exact. Then dividend and product cancel without rounding. One quotient too many may
// overflow: so halves are taken of what is huge, the divisor too.
PRIVATE double subtract_product(double dividend, double quotient, double divisor) {
  double scale = dividend > 0x1p1000 ? 0.5 : 1.0;
  dividend *= scale;
  divisor *= scale;
  double product = quotient * divisor;
  double x_high = from_bits(bits(quotient) & 0xfffffffff8000000), x_low = quotient - x_high;
  double y_high = from_bits(bits(divisor) & 0xfffffffff8000000), y_low = divisor - y_high;
  double low = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low);
  return ((dividend - product) - low) / scale;
}
#endif

// For dividend < 2^52 divisor. The rounded quotient, cut off, is the right one or, where rounding reached the next
// whole number, one more; |dividend - quotient * divisor| <= divisor, and it is a multiple of the divisor's last bit:
// so it is a double, and so is the sum that sets one too many right.
PRIVATE division divide_near(double dividend, double divisor) {
  double quotient = __builtin_trunc(dividend / divisor);
  double rest = subtract_product(dividend, quotient, divisor);
  i32 over = rest < 0.0;
  return (division){over ? rest + divisor : rest, (u32)(i64)quotient - (over ? 1 : 0)};
}

// Of sizes: 0 <= dividend < infinity, 0 < divisor < infinity.
PRIVATE division divide_off(double dividend, double divisor) {
  u32 quotient = 0;
  i32 shift;
  while ((shift = exponent_off(dividend) - exponent_off(divisor) - STEP) > 0) {
    double multiple = divisor * power_of_two(shift >> 1) * power_of_two(shift - (shift >> 1));
    division step = divide_near(dividend, multiple);
    dividend = step.rest;
    quotient += shift < 32 ? step.quotient << (shift & 31) : 0;
  }
  division last = divide_near(dividend, divisor);
  return (division){last.rest, quotient + last.quotient};
}

PRIVATE i32 divisible(double x, double y) {
  return __builtin_fabs(x) < INFINITY && __builtin_fabs(y) > 0.0 && __builtin_fabs(y) < INFINITY;
}
// What remains of x by an infinite y, and where there is no remainder.
PRIVATE double special_remainder(double x, double y) {
  return __builtin_fabs(x) < INFINITY && __builtin_fabs(y) == INFINITY ? x : NAN;
}

PUBLIC double fmod(double x, double y) {
  i32 regular = divisible(x, y);
  division sizes = divide_off(regular ? __builtin_fabs(x) : 0.0, regular ? __builtin_fabs(y) : 1.0);
  return regular ? __builtin_copysign(sizes.rest, x) : special_remainder(x, y);
}

// The quotient is rounded to the nearest, to even between two: up where the rest is nearer to the divisor than to zero.
// That difference is exact where it matters, from half the divisor on.
PUBLIC double remquo(double x, double y, int *quotient) {
  i32 regular = divisible(x, y);
  double divisor = regular ? __builtin_fabs(y) : 1.0;
  division sizes = divide_off(regular ? __builtin_fabs(x) : 0.0, divisor);
  double beyond = divisor - sizes.rest;
  i32 up = sizes.rest > beyond || (sizes.rest == beyond && (sizes.quotient & 1));
  double rest = up ? -beyond : sizes.rest;
  i32 low_bits = (i32)(sizes.quotient + (up ? 1 : 0)) & 127;
  i32 negative = (i64)(bits(x) ^ bits(y)) < 0;
  *quotient = regular ? (negative ? -low_bits : low_bits) : 0;
  return regular ? from_bits(bits(rest) ^ (bits(x) & 0x8000000000000000)) : special_remainder(x, y);
}

PUBLIC double remainder(double x, double y) {
  i32 quotient;
  return remquo(x, y, &quotient);
}
