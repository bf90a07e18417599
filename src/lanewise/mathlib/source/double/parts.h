// SPDX-License-Identifier: Apache-2.0
// Numbers taken apart into significand and exponent.
#ifndef LANEWISE_MATHLIB_DOUBLE_PARTS_H
#define LANEWISE_MATHLIB_DOUBLE_PARTS_H

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

#endif
