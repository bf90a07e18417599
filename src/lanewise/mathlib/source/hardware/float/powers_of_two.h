// SPDX-License-Identifier: Apache-2.0
// Powers of two of integers that are rounded by adding, for exponential functions.
#ifndef LANEWISE_MATHLIB_HARDWARE_FLOAT_POWERS_OF_TWO_H
#define LANEWISE_MATHLIB_HARDWARE_FLOAT_POWERS_OF_TWO_H

#include "hardware/instructions.h"

// 1.5 * 2^23 + 127: added to a number m, it rounds that to an integer and leaves m + 127, which is the exponent of 2^m, in
// the lowest bits of the sum.
#define EXPONENT_ROUNDER 12583039.0f

// value * 4^m for m from -127 to 127, where `shifted` is m + EXPONENT_ROUNDER and value is from 1/2 to 2. Only the second
// product rounds.
PRIVATE float times_square_of_power(float value, float shifted) {
  float power = from_bits_f(bits_f(shifted) << 23);
  return value * power * power;
}

#endif
