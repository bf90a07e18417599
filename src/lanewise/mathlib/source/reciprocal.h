// SPDX-License-Identifier: Apache-2.0
// Reciprocals of numbers that are normal and have normal reciprocals, for quotients whose remainder is divided once more:
// on GPUs by the approximate instruction, whose error of the quotient comes back in the remainder.
#ifndef LANEWISE_MATHLIB_RECIPROCAL_H
#define LANEWISE_MATHLIB_RECIPROCAL_H

#include "arithmetic.h"

#if LW_HARDWARE
#include "hardware/instructions.h"

PRIVATE float reciprocalf(float x) { return approximate_reciprocal_flushedf(x); }

// With an error e = 1 - x y of at most 2^-17, y (1 + e + e^2) is right to 2^-51.
PRIVATE double reciprocal(double x) {
  double y = approximate_reciprocal(x), e = __builtin_fma(-x, y, 1);
  return __builtin_fma(y, __builtin_fma(e, e, e), y);
}
#else
PRIVATE float reciprocalf(float x) { return 1.0f / x; }
PRIVATE double reciprocal(double x) { return 1 / x; }
#endif

#endif
