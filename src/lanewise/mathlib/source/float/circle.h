// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and tangent of a reduced angle.
#ifndef LANEWISE_MATHLIB_FLOAT_CIRCLE_H
#define LANEWISE_MATHLIB_FLOAT_CIRCLE_H

#include "float/argument_reduction.h"
#include "reciprocal.h"

// Sine and cosine for |x| <= 0.8, as a leading part and what is to be added to it. Both polynomials are minimax in
// x^2 for the relative error: 2^-32.5 and 2^-32.6. x.low counts by the derivative: 1 - x^2 / 2 will do for the sine,
// and -x for the cosine.
PRIVATE pairf sine_near_zerof(pairf x) {
  float square = x.high * x.high;
  float p = madf(0x1.7a8a9cp-19f, square, -0x1.a053fap-13f);
  p = madf(p, square, 0x1.11117p-7f);
  p = madf(p, square, -0x1.555556p-3f);
  return (pairf){x.high, madf(p, square * x.high, madf(-0.5f * square, x.low, x.low))};
}
PRIVATE pairf cosine_near_zerof(pairf x) {
  pairf square = two_productf(x.high, x.high), leading = fast_two_sumf(1.0f, -0.5f * square.high);
  float p = madf(0x1.999122p-16f, square.high, -0x1.6c0af4p-10f);
  p = madf(p, square.high, 0x1.555548p-5f);
  float low = leading.low - madf(x.high, x.low, 0.5f * square.low);
  return (pairf){leading.high, madf(p, square.high * square.high, low)};
}

// x, negated where the sign of y is negative.
PRIVATE float flip_signf(float x, float y) { return from_bits_f(bits_f(x) ^ (bits_f(y) & 0x80000000u)); }

// The sine of an angle, or with one more quadrant its cosine, from the sine and the cosine of its rest.
PRIVATE float turn_sinef(pairf sine, pairf cosine, u32 quadrant) {
  int odd = quadrant & 1;
  float size = (odd ? cosine.high : sine.high) + (odd ? cosine.low : sine.low);
  return from_bits_f(bits_f(size) ^ (quadrant & 2) << 30);
}

// x / y, where neither y nor 1 / y overflows.
PRIVATE float quotientf(pairf x, pairf y) {
  float reciprocal = reciprocalf(y.high), quotient = x.high * reciprocal;
  pairf product = two_productf(quotient, y.high);
  float rest = ((x.high - product.high) - product.low) + madf(-quotient, y.low, x.low);
  return madf(rest, reciprocal, quotient);
}

// The tangent of an angle, from the sine and the cosine of its rest, which isn't 0.
PRIVATE float turn_tangentf(pairf sine, pairf cosine, u32 quadrant) {
  int odd = quadrant & 1;
  sine = fast_two_sumf(sine.high, sine.low);
  cosine = fast_two_sumf(cosine.high, cosine.low);
  pairf above = {odd ? cosine.high : sine.high, odd ? cosine.low : sine.low};
  pairf below = {odd ? sine.high : cosine.high, odd ? sine.low : cosine.low};
  float size = quotientf(above, below);
  return odd ? -size : size;
}

#endif
