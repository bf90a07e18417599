// SPDX-License-Identifier: Apache-2.0
// Angles of a sine or a tangent: a multiple of pi / 2, from which a small arc is taken or to which it is added, both
// pairs, and both in radians or in half turns.
#ifndef LANEWISE_MATHLIB_FLOAT_ARC_H
#define LANEWISE_MATHLIB_FLOAT_ARC_H

#include "reciprocal.h"

static const pairf pi_f = {0x1.921fb6p1f, -0x1.777a5cp-24f}, half_pi_f = {0x1.921fb6p0f, -0x1.777a5cp-25f};
static const pairf half_turn_f = {1.0f, 0.0f}, quarter_turn_f = {0.5f, 0.0f}, zero_f = {0.0f, 0.0f};

PRIVATE pairf choosef(int condition, pairf yes, pairf no) {
  return (pairf){condition ? yes.high : no.high, condition ? yes.low : no.low};
}

// x * factor, a power of two.
PRIVATE pairf scale_pairf(pairf x, float factor) { return (pairf){x.high * factor, x.low * factor}; }

// base + x, where |base| >= |x| or base is 0.
PRIVATE float add_pairsf(pairf base, pairf x) {
  pairf sum = fast_two_sumf(base.high, x.high);
  return sum.high + (sum.low + (base.low + x.low));
}

// From radians to half turns.
PRIVATE pairf over_pif(pairf x) {
  pairf product = two_productf(x.high, 0x1.45f306p-2f);
  return (pairf){product.high, madf(x.low, 0x1.45f306p-2f, madf(x.high, 0x1.b9391p-27f, product.low))};
}

// The arcsine of size, where that is at most 1/2, or half of what it lacks to a right angle: the arcsine of
// sqrt((1 - size) / 2). NaN where size is beyond 1.
typedef struct {
  pairf arc;
  int halved;
} arcsinef;

// The polynomial is minimax in the square, up to 1/4, for the relative error: 2^-27.6.
PRIVATE arcsinef arcsine_partf(float size) {
  int halved = size > 0.5f;
  float square = halved ? 0.5f - 0.5f * size : size * size;
  float root = halved ? __builtin_sqrtf(square) : size;
  float p = madf(0x1.596ce6p-5f, square, 0x1.8c2df2p-6f);
  p = madf(p, square, 0x1.747dp-5f);
  p = madf(p, square, 0x1.3301fcp-4f);
  p = madf(p, square, 0x1.5555c8p-3f);
  return (arcsinef){{root, p * (square * root)}, halved};
}

// The arcsine and the arccosine of x, from the arc in some unit.
PRIVATE float finish_arcsinef(int halved, pairf arc, pairf quarter, float x) {
  pairf base = choosef(halved, quarter, zero_f);
  return __builtin_copysignf(add_pairsf(base, scale_pairf(arc, halved ? -2.0f : 1.0f)), x);
}
PRIVATE float finish_arccosinef(int halved, pairf arc, pairf quarter, pairf half, float x) {
  int negative = x < 0.0f;
  pairf base = choosef(halved, choosef(negative, half, zero_f), quarter);
  float factor = halved ? 2.0f : 1.0f;
  return add_pairsf(base, scale_pairf(arc, halved == negative ? -factor : factor));
}

// y / x, where 0 <= y <= x, x isn't 0, and neither is infinite; with what it lacks if it is no division that rounds it.
// Scaling lets 1 / x stay normal, and keeps the remainder of the quotient from underflow unless the quotient itself
// underflows.
PRIVATE pairf tangent_of_octantf(float y, float x) {
#if LW_HARDWARE
  float scale = x < 1.0f ? 0x1p64f : x > 0x1p96f ? 0x1p-24f : 1.0f;
  x *= scale;
  y *= scale;
  float reciprocal = reciprocalf(x), quotient = y * reciprocal;
  pairf product = two_productf(quotient, x);
  return (pairf){quotient, ((y - product.high) - product.low) * reciprocal};
#else
  return (pairf){y / x, 0.0f};
#endif
}

// The arctangent of y / x, as above. The low part of the quotient counts by the derivative, 1 / (1 + square), for which
// 1 - square / 2 will do. The polynomial is minimax in the square, up to 1, for the relative error: 2^-28.5.
PRIVATE pairf arctangent_partf(float y, float x) {
  pairf tangent = tangent_of_octantf(y, x);
  float quotient = tangent.high, square = quotient * quotient;
  float p = madf(-0x1.d344fap-10f, square, 0x1.641d76p-7f);
  p = madf(p, square, -0x1.fd7a64p-6f);
  p = madf(p, square, 0x1.da2948p-5f);
  p = madf(p, square, -0x1.58090ep-4f);
  p = madf(p, square, 0x1.c08c4ep-4f);
  p = madf(p, square, -0x1.242086p-3f);
  p = madf(p, square, 0x1.9991e4p-3f);
  p = madf(p, square, -0x1.55553ep-2f);
#if LW_HARDWARE
  return (pairf){quotient, madf(p, square * quotient, madf(-0.5f * square, tangent.low, tangent.low))};
#else
  return (pairf){quotient, p * (square * quotient)};
#endif
}

// An arc of at most pi / 4, in an octant that is mirrored about the diagonal (swapped), the vertical axis (mirrored) or
// both.
typedef struct {
  pairf arc;
  int swapped, mirrored;
} octantf;

// The arctangent of 2^64 is the nearest float to that of any greater number.
PRIVATE octantf octant_of_tangentf(float size) {
  size = size > 0x1p64f ? 0x1p64f : size;
  int swapped = size > 1.0f;
  return (octantf){arctangent_partf(swapped ? 1.0f : size, swapped ? size : 1.0f), swapped, 0};
}

// The octant of the point (x, |y|). The origin is on the x-axis, an infinite point on the axis of its infinite
// coordinate, or on the diagonal of both; a NaN stays one.
PRIVATE octantf octant_of_pointf(float y, float x) {
  float height = __builtin_fabsf(y), width = __builtin_fabsf(x);
  int swapped = height > width;
  float larger = swapped ? height : width, smaller = swapped ? width : height;
  int infinite = larger == INFINITYF;
  smaller = infinite ? (smaller == INFINITYF ? 1.0f : smaller * 0.0f) : smaller;
  larger = infinite || larger == 0.0f ? 1.0f : larger;
  return (octantf){arctangent_partf(smaller, larger), swapped, (int)(bits_f(x) >> 31)};
}

// The angle in an octant, from the arc in some unit, with the sign of y.
PRIVATE float finish_arctangentf(octantf at, pairf arc, pairf quarter, pairf half, float y) {
  pairf base = choosef(at.swapped, quarter, choosef(at.mirrored, half, zero_f));
  return __builtin_copysignf(add_pairsf(base, scale_pairf(arc, at.swapped != at.mirrored ? -1.0f : 1.0f)), y);
}

#endif
