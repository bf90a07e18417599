// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and tangent of a reduced angle.
#ifndef LANEWISE_MATHLIB_DOUBLE_CIRCLE_H
#define LANEWISE_MATHLIB_DOUBLE_CIRCLE_H

#include "double/argument_reduction.h"

// Minimax for |x| <= 0.786, as functions of x^2: sine is x + x^3 beyond linear, with an error of 2^-57.9 relative to the
// sine, and cosine 1 - x^2 / 2 + x^4 beyond square, with one of 2^-63.9.
PRIVATE double sine_beyond_linear(double square) {
  static const double P[] = {-0x1.5555555555548p-3, 0x1.111111110f73p-7,   -0x1.a01a019be91ddp-13,
                             0x1.71de355523c2ep-19, -0x1.ae5e4b7a85b6bp-26, 0x1.5d8b51fed03eep-33};
  return POLYNOMIAL(square, P);
}
PRIVATE double cosine_beyond_square(double square) {
  static const double P[] = {0x1.555555555554bp-5,   -0x1.6c16c16c15009p-10, 0x1.a01a019c8d245p-16,
                             -0x1.27e4f7efa91efp-22, 0x1.1ee9da42dd4eap-29,  -0x1.8fa59ba15e80ap-37};
  return POLYNOMIAL(square, P);
}

// Sine and cosine for |x| <= 0.786, as a leading part and what is to be added to it. x.low counts by the derivative:
// 1 - x^2 / 2 will do for the sine, and -x for the cosine.
PRIVATE pair sine_near_zero(pair x) {
  double square = x.high * x.high, beyond = sine_beyond_linear(square);
  return (pair){x.high, mad(beyond, square * x.high, mad(-0.5 * square, x.low, x.low))};
}
PRIVATE pair cosine_near_zero(pair x) {
  pair square = two_product(x.high, x.high), leading = fast_two_sum(1.0, -0.5 * square.high);
  double low = leading.low - mad(x.high, x.low, 0.5 * square.low);
  return (pair){leading.high, mad(cosine_beyond_square(square.high), square.high * square.high, low)};
}

// x, negated where the sign of y is negative.
PRIVATE double flip_sign(double x, double y) { return from_bits(bits(x) ^ (bits(y) & 1ull << 63)); }

// The sine of an angle, or with one more quadrant its cosine, from the sine and the cosine of its rest.
PRIVATE double turn_sine(pair sine, pair cosine, u32 quadrant) {
  int odd = quadrant & 1;
  double size = (odd ? cosine.high : sine.high) + (odd ? cosine.low : sine.low);
  return from_bits(bits(size) ^ (u64)(quadrant & 2) << 62);
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
