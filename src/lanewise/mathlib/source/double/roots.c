// SPDX-License-Identifier: Apache-2.0
// Square and cube roots and their inverses: an approximation y, then one step of Newton's method whose residual is
// computed with both parts of each product, which leaves little but the last rounding.
#include "double/square.h"

// |x| brought to where neither squares of roots nor residuals overflow or lose bits: from 2^-774 to 2^724.
PRIVATE double away_from_limits(double magnitude) { return magnitude * (magnitude > 1 ? 0x1p-300 : 0x1p300); }

PUBLIC double sqrt(double x) { return __builtin_sqrt(x); }

// y + y e / 2, where e = 1 - x y^2.
PUBLIC double rsqrt(double x) {
  double scaled = away_from_limits(x), y = 1 / __builtin_sqrt(scaled);
  pair product = two_product(scaled, y), one = two_product(product.high, y);
  double residual = ((1 - one.high) - one.low) - product.low * y;
  // Without a step, y is right for zeros, infinity, NaN and negative numbers.
  double result = scaled > 0 && scaled < INFINITY ? mad(0.5 * y, residual, y) : y;
  return result * (x > 1 ? 0x1p-150 : 0x1p150);
}

// x^(-1/3) to 2^-51, for x from 2^-774 to 2^724. A third of the bits of x is nearly a third of its logarithm, and gives
// y with |e| <= 0.10204, where e = 1 - x y^3. Of (1 - e)^(-1/3), the first step takes the minimax cubic, the second two
// terms of Taylor's series.
PRIVATE double inverse_cube_root(double x) {
  static const double P[] = {1, 0x1.55546e80da799p-2, 0x1.c96f41007c98ep-3, 0x1.65572288fe53cp-3};
  u64 third = (bits(x) >> 32) * 0x55555556 >> 32;
  double start = from_bits((0x553ee960 - third) << 32);
  double residual = mad(-(x * start), start * start, 1);
  double y = start * POLYNOMIAL(residual, P);
  residual = mad(-(x * y), y * y, 1);
  return mad(y * residual, mad(residual, 2.0 / 9, 1.0 / 3), y);
}

// c - (c^3 - x) / (3 c^2), where c = x y^2 and y = x^(-1/3).
PUBLIC double cbrt(double x) {
  double magnitude = __builtin_fabs(x), scaled = away_from_limits(magnitude);
  double y = inverse_cube_root(scaled), root = scaled * y * y;
  pair squared = square(root), cube = two_product(squared.high, root);
  double residual = ((scaled - cube.high) - cube.low) - squared.low * root;
  double result = mad(residual * (1.0 / 3), y * y, root) * (magnitude > 1 ? 0x1p100 : 0x1p-100);
  return magnitude > 0 && magnitude < INFINITY ? __builtin_copysign(result, x) : x;
}

// y + y e / 3, where e = 1 - x y^3.
PUBLIC double rcbrt(double x) {
  double magnitude = __builtin_fabs(x), scaled = away_from_limits(magnitude);
  double y = inverse_cube_root(scaled);
  pair squared = square(y), product = two_product(scaled, y), one = two_product(product.high, squared.high);
  double residual = ((1 - one.high) - one.low) - mad(product.low, squared.high, product.high * squared.low);
  double result = mad(y * (1.0 / 3), residual, y) * (magnitude > 1 ? 0x1p-100 : 0x1p100);
  result = magnitude == 0 ? INFINITY : result;
  result = __builtin_copysign(magnitude == INFINITY ? 0 : result, x);
  return x == x ? result : x;
}
