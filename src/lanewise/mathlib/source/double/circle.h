// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and tangent of a reduced angle.
#ifndef LANEWISE_MATHLIB_DOUBLE_CIRCLE_H
#define LANEWISE_MATHLIB_DOUBLE_CIRCLE_H

#include "double/argument_reduction.h"

// Sine and cosine for |x| <= 0.8, as a leading part and what is to be added to it. Both polynomials are minimax in x^2
// for the relative error: 2^-32.5 and 2^-32.6.
PRIVATE pair sine_near_zero(pair x) {
  double square = x.high * x.high;
  double series = mad(mad(0x1.7a8a9cp-19f, square, -0x1.a053fap-13f), square, 0x1.11117p-7f);
  series = mad(series, square, -0x1.555556p-3f);
  return (pair){x.high, mad(series, square * x.high, x.low)};
}
PRIVATE pair cosine_near_zero(pair x) {
  pair square = two_product(x.high, x.high), leading = fast_two_sum(1.0, -0.5 * square.high);
  double series = mad(mad(0x1.999122p-16f, square.high, -0x1.6c0af4p-10f), square.high, 0x1.555548p-5f);
  double low = leading.low - mad(x.high, x.low, 0.5 * square.low);
  return (pair){leading.high, mad(series, square.high * square.high, low)};
}

// x, negated where the sign of y is negative.
PRIVATE double flip_sign(double x, double y) { return from_bits(bits(x) ^ (bits(y) & 0x80000000u)); }

// The sine of an angle, or with one more quadrant its cosine, from the sine and the cosine of its rest.
PRIVATE double turn_sine(pair sine, pair cosine, u32 quadrant) {
  int odd = quadrant & 1;
  double size = (odd ? cosine.high : sine.high) + (odd ? cosine.low : sine.low);
  return from_bits(bits(size) ^ (quadrant & 2) << 30);
}

// x / y, where neither y nor 1 / y overflows.
PRIVATE double quotient(pair x, pair y) {
  double reciprocal = 1.0 / y.high, quotient = x.high * reciprocal;
  pair product = two_product(quotient, y.high);
  double rest = ((x.high - product.high) - product.low) + mad(-quotient, y.low, x.low);
  return mad(rest, reciprocal, quotient);
}

// The tangent of an angle, from the sine and the cosine of its rest, which isn't 0.
PRIVATE double turn_tangent(pair sine, pair cosine, u32 quadrant) {
  int odd = quadrant & 1;
  sine = fast_two_sum(sine.high, sine.low);
  cosine = fast_two_sum(cosine.high, cosine.low);
  pair above = {odd ? cosine.high : sine.high, odd ? cosine.low : sine.low};
  pair below = {odd ? sine.high : cosine.high, odd ? sine.low : cosine.low};
  double size = quotient(above, below);
  return odd ? -size : size;
}

#endif
