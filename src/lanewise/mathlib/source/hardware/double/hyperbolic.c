// SPDX-License-Identifier: Apache-2.0
// tanh.
#include "double/exponential.h"
#include "reciprocal.h"

// E / (E + 2) with E = e^(2 x) - 1. For 2 x = n ln(2) + r, E is 2^n (e^r - 1) + (2^n - 1), whose second part is exact and
// for n = 0 nothing. From 22 on, the result is 1.
PUBLIC double tanh(double x) {
  double size = clamp(__builtin_fabs(x), 0, 22), twice = size + size;
  double shifted = mad(twice, LOG2_E, ROUNDER + 1023), n = shifted - (ROUNDER + 1023);
  double r = mad(-n, LN2_LOW, mad(-n, LN2_HIGH, twice)), square = r * r;
  double less = mad(square, mad(r, exponential_cubic(r), 0.5), r);
  double power = from_bits(bits(shifted) << 52), above = mad(power, less, power - 1), below = above + 2;
  double inverse = reciprocal(below), quotient = above * inverse, lost = above - (below - 2);
  double remainder = mad(-quotient, lost, mad(-quotient, below, above));
  return __builtin_copysign(mad(remainder, inverse, quotient), x);
}
