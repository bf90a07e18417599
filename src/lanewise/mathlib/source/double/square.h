// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_MATHLIB_DOUBLE_SQUARE_H
#define LANEWISE_MATHLIB_DOUBLE_SQUARE_H

#include "arithmetic.h"

// x^2, with an error below 2^-77 of its size: without fused operations, the square of the upper half of the bits is
// exact.
PRIVATE pair square(double x) {
#if LW_FUSED
  return two_product(x, x);
#else
  double high = from_bits(bits(x) & 0xfffffffff8000000);
  return fast_two_sum(high * high, (x - high) * (x + high));
#endif
}

#endif
