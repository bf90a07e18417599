// SPDX-License-Identifier: Apache-2.0
// Angles of a sine or a tangent: a multiple of pi / 2, from which a small arc is taken or to which it is added, both
// pairs, and both in radians or in half turns.
#ifndef LANEWISE_MATHLIB_DOUBLE_ARC_H
#define LANEWISE_MATHLIB_DOUBLE_ARC_H

#include "reciprocal.h"

static const pair pi = {0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};
static const pair half_pi = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
static const pair half_turn = {1.0, 0.0}, quarter_turn = {0.5, 0.0}, zero = {0.0, 0.0};

PRIVATE pair choose(int condition, pair yes, pair no) {
  return (pair){condition ? yes.high : no.high, condition ? yes.low : no.low};
}

// x * factor, a power of two.
PRIVATE pair scale_pair(pair x, double factor) { return (pair){x.high * factor, x.low * factor}; }

// base + x, where |base| >= |x| or base is 0.
PRIVATE double add_pairs(pair base, pair x) {
  pair sum = fast_two_sum(base.high, x.high);
  return sum.high + (sum.low + (base.low + x.low));
}

// From radians to half turns.
PRIVATE pair over_pi(pair x) {
  pair product = two_product(x.high, 0x1.45f306dc9c883p-2);
  return (pair){product.high, mad(x.low, 0x1.45f306dc9c883p-2, mad(x.high, -0x1.6b01ec5417056p-56, product.low))};
}

// The arcsine of size, where that is at most 1/2, or half of what it lacks to a right angle: the arcsine of
// sqrt((1 - size) / 2), a root that gets back the bits that it rounds off. NaN where size is beyond 1.
typedef struct {
  pair arc;
  int halved;
} arcsine;

// The polynomial is minimax in the square, up to 1/4, for the relative error: 2^-59.4.
PRIVATE arcsine arcsine_part(double size) {
  int halved = size > 0.5;
  double square = halved ? 0.5 - 0.5 * size : size * size;
  double root = halved ? __builtin_sqrt(square) : size;
  pair product = two_product(root, root);
  double low = halved && root > 0.0 ? ((square - product.high) - product.low) / (root + root) : 0.0;
  double p = mad(0x1.0b47be44f2f3fp-5, square, -0x1.5804f3f972556p-6);
  p = mad(p, square, 0x1.63a402c5c8e39p-6);
  p = mad(p, square, 0x1.e5d78e476456fp-9);
  p = mad(p, square, 0x1.613eb76beed5p-7);
  p = mad(p, square, 0x1.758524924f174p-7);
  p = mad(p, square, 0x1.ca1f99679f2a9p-7);
  p = mad(p, square, 0x1.1c49efe64de53p-6);
  p = mad(p, square, 0x1.6e8bdee627033p-6);
  p = mad(p, square, 0x1.f1c71a94c4e97p-6);
  p = mad(p, square, 0x1.6db6db7212c89p-5);
  p = mad(p, square, 0x1.333333332e12cp-4);
  p = mad(p, square, 0x1.5555555555577p-3);
  return (arcsine){{root, mad(p, square * root, low)}, halved};
}

// The arcsine and the arccosine of x, from the arc in some unit.
PRIVATE double finish_arcsine(int halved, pair arc, pair quarter, double x) {
  pair base = choose(halved, quarter, zero);
  return __builtin_copysign(add_pairs(base, scale_pair(arc, halved ? -2.0 : 1.0)), x);
}
PRIVATE double finish_arccosine(int halved, pair arc, pair quarter, pair half, double x) {
  int negative = x < 0.0;
  pair base = choose(halved, choose(negative, half, zero), quarter);
  double factor = halved ? 2.0 : 1.0;
  return add_pairs(base, scale_pair(arc, halved == negative ? -factor : factor));
}

// The arctangent of y / x, where 0 <= y <= x, x isn't 0, and neither is infinite. The low part of the quotient counts
// by the derivative, 1 / (1 + square), for which 1 - square / 2 will do. The polynomial is minimax in the square, up to
// 1, for the relative error: 2^-56.7.
//
// Scaling lets 1 / x stay normal, and keeps the remainder of the quotient from underflow unless the quotient itself
// underflows.
PRIVATE pair arctangent_part(double y, double x) {
  double scale = x < 0x1p400 ? 0x1p512 : x > 0x1p960 ? 0x1p-100 : 1.0;
  x *= scale;
  y *= scale;
  double inverse = reciprocal(x), quotient = y * inverse, square = quotient * quotient;
  pair product = two_product(quotient, x);
  double low = ((y - product.high) - product.low) * inverse;
  double p = mad(0x1.bbfd776f9017bp-17, square, -0x1.3f3ccbd27569cp-13);
  p = mad(p, square, 0x1.b3ff38f79a53bp-11);
  p = mad(p, square, -0x1.7a3b154a95523p-9);
  p = mad(p, square, 0x1.d7b96797a18f9p-8);
  p = mad(p, square, -0x1.c78f6180cd8f4p-7);
  p = mad(p, square, 0x1.683c586d80aa5p-6);
  p = mad(p, square, -0x1.e9f9934427a01p-6);
  p = mad(p, square, 0x1.2c2e2fe5c80a6p-5);
  p = mad(p, square, -0x1.59a3e6fdddbbap-5);
  p = mad(p, square, 0x1.82dacdc310bb4p-5);
  p = mad(p, square, -0x1.ae5e6fae130bep-5);
  p = mad(p, square, 0x1.e1bba5b0b8d17p-5);
  p = mad(p, square, -0x1.110e511637a64p-4);
  p = mad(p, square, 0x1.3b136697f8938p-4);
  p = mad(p, square, -0x1.745d11ae4181bp-4);
  p = mad(p, square, 0x1.c71c717fcc6bfp-4);
  p = mad(p, square, -0x1.249249237f4aap-3);
  p = mad(p, square, 0x1.99999999955b1p-3);
  p = mad(p, square, -0x1.5555555555526p-2);
  return (pair){quotient, mad(p, square * quotient, mad(-0.5 * square, low, low))};
}

// An arc of at most pi / 4, in an octant that is mirrored about the diagonal (swapped), the vertical axis (mirrored) or
// both.
typedef struct {
  pair arc;
  int swapped, mirrored;
} octant;

// The arctangent of 2^100 is the nearest double to that of any greater number.
PRIVATE octant octant_of_tangent(double size) {
  size = size > 0x1p100 ? 0x1p100 : size;
  int swapped = size > 1.0;
  return (octant){arctangent_part(swapped ? 1.0 : size, swapped ? size : 1.0), swapped, 0};
}

// The octant of the point (x, |y|). The origin is on the x-axis, an infinite point on the axis of its infinite
// coordinate, or on the diagonal of both; a NaN stays one.
PRIVATE octant octant_of_point(double y, double x) {
  double height = __builtin_fabs(y), width = __builtin_fabs(x);
  int swapped = height > width;
  double larger = swapped ? height : width, smaller = swapped ? width : height;
  int infinite = larger == INFINITY;
  smaller = infinite ? (smaller == INFINITY ? 1.0 : smaller * 0.0) : smaller;
  larger = infinite || larger == 0.0 ? 1.0 : larger;
  return (octant){arctangent_part(smaller, larger), swapped, (int)(bits(x) >> 63)};
}

// The angle in an octant, from the arc in some unit, with the sign of y.
PRIVATE double finish_arctangent(octant at, pair arc, pair quarter, pair half, double y) {
  pair base = choose(at.swapped, quarter, choose(at.mirrored, half, zero));
  return __builtin_copysign(add_pairs(base, scale_pair(arc, at.swapped != at.mirrored ? -1.0 : 1.0)), y);
}

#endif
