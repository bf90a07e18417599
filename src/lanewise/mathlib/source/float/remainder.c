// SPDX-License-Identifier: Apache-2.0
// Remainders, all exact.
//
// Method: a quotient of less than 2^22 is known to less than one by a division, which gives the remainder by one exact
// multiply-add. A greater quotient is taken in steps of 22 bits: for the divisor times 2^shift first, at most 13 times.
#include "arithmetic.h"

enum { STEP = 22 };

typedef struct {
  float rest;   // of the sizes: at least 0, less than the divisor
  u32 quotient; // modulo 2^32
} division;

// Exponents, of denormals too; less than any other for zero.
PRIVATE i32 exponent_off(float size) {
  i32 denormal = size < 0x1p-126f;
  i32 field = (i32)(bits_f(denormal ? size * 0x1p24f : size) >> 23);
  return denormal ? field - 24 : field;
}

// For dividend < 2^23 divisor. The rounded quotient, cut off, is the right one or, where rounding reached the next
// whole number, one more; |dividend - quotient * divisor| <= divisor, and it is a multiple of the divisor's last bit:
// so it is a float, and so is the sum that sets one too many right.
PRIVATE division divide_near(float dividend, float divisor) {
  float quotient = __builtin_truncf(dividend / divisor);
#if LW_FUSED
  float rest = __builtin_fmaf(-quotient, divisor, dividend);
#else
  float rest = (float)(dividend - (double)quotient * divisor);
#endif
  i32 over = rest < 0.0f;
  return (division){over ? rest + divisor : rest, (u32)(i32)quotient - (over ? 1 : 0)};
}

// Of sizes: 0 <= dividend < infinity, 0 < divisor < infinity.
PRIVATE division divide_off(float dividend, float divisor) {
  u32 quotient = 0;
  i32 shift;
  while ((shift = exponent_off(dividend) - exponent_off(divisor) - STEP) > 0) {
    float multiple = divisor * power_of_twof(shift >> 1) * power_of_twof(shift - (shift >> 1));
    division step = divide_near(dividend, multiple);
    dividend = step.rest;
    quotient += shift < 32 ? step.quotient << (shift & 31) : 0;
  }
  division last = divide_near(dividend, divisor);
  return (division){last.rest, quotient + last.quotient};
}

PRIVATE i32 divisible(float x, float y) {
  return __builtin_fabsf(x) < INFINITYF && __builtin_fabsf(y) > 0.0f && __builtin_fabsf(y) < INFINITYF;
}
// What remains of x by an infinite y, and where there is no remainder.
PRIVATE float special_remainder(float x, float y) {
  return __builtin_fabsf(x) < INFINITYF && __builtin_fabsf(y) == INFINITYF ? x : NANF;
}

PUBLIC float fmodf(float x, float y) {
  i32 regular = divisible(x, y);
  division sizes = divide_off(regular ? __builtin_fabsf(x) : 0.0f, regular ? __builtin_fabsf(y) : 1.0f);
  return regular ? __builtin_copysignf(sizes.rest, x) : special_remainder(x, y);
}

// The quotient is rounded to the nearest, to even between two: up where the rest is nearer to the divisor than to zero.
// That difference is exact where it matters, from half the divisor on.
PUBLIC float remquof(float x, float y, int *quotient) {
  i32 regular = divisible(x, y);
  float divisor = regular ? __builtin_fabsf(y) : 1.0f;
  division sizes = divide_off(regular ? __builtin_fabsf(x) : 0.0f, divisor);
  float beyond = divisor - sizes.rest;
  i32 up = sizes.rest > beyond || (sizes.rest == beyond && (sizes.quotient & 1));
  float rest = up ? -beyond : sizes.rest;
  i32 low_bits = (i32)(sizes.quotient + (up ? 1 : 0)) & 127;
  i32 negative = (i32)(bits_f(x) ^ bits_f(y)) < 0;
  *quotient = regular ? (negative ? -low_bits : low_bits) : 0;
  return regular ? from_bits_f(bits_f(rest) ^ (bits_f(x) & 0x80000000)) : special_remainder(x, y);
}

PUBLIC float remainderf(float x, float y) {
  i32 quotient;
  return remquof(x, y, &quotient);
}
