// SPDX-License-Identifier: Apache-2.0
// Numbers taken apart into significand and exponent.
#ifndef LANEWISE_MATHLIB_FLOAT_PARTS_H
#define LANEWISE_MATHLIB_FLOAT_PARTS_H

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

#endif
