// SPDX-License-Identifier: Apache-2.0
// sinpi, cospi, sincospi, tanpi: of pi * x.
//
// Zeros are as in IEEE 754-2019, 9.2.1: sinpi(n) has the sign of n, and cospi(n + 1/2) is +0. Adding 0 makes a -0 of
// half a turn +0. tanpi(n) has the sign of n, negated where n is odd, and tanpi(n + 1/2) is infinite, positive where n
// is even.
#include "double/circle.h"

PUBLIC double sinpi(double x) {
  reduced_angle angle = reduce_half_turns(__builtin_fabs(x));
  pair sine = sine_near_zero(angle.rest), cosine = cosine_near_zero(angle.rest);
  return flip_sign(turn_sine(sine, cosine, angle.quadrant) + 0.0, x);
}

PUBLIC double cospi(double x) {
  reduced_angle angle = reduce_half_turns(__builtin_fabs(x));
  pair sine = sine_near_zero(angle.rest), cosine = cosine_near_zero(angle.rest);
  return turn_sine(sine, cosine, angle.quadrant + 1) + 0.0;
}

PUBLIC void sincospi(double x, double *sine, double *cosine) {
  reduced_angle angle = reduce_half_turns(__builtin_fabs(x));
  pair sine_of_rest = sine_near_zero(angle.rest), cosine_of_rest = cosine_near_zero(angle.rest);
  *sine = flip_sign(turn_sine(sine_of_rest, cosine_of_rest, angle.quadrant) + 0.0, x);
  *cosine = turn_sine(sine_of_rest, cosine_of_rest, angle.quadrant + 1) + 0.0;
}

PUBLIC double tanpi(double x) {
  reduced_angle angle = reduce_half_turns(__builtin_fabs(x));
  pair sine = sine_near_zero(angle.rest), cosine = cosine_near_zero(angle.rest);
  double exact = angle.quadrant & 1 ? INFINITY : 0.0;
  double of_multiple = from_bits(bits(exact) | (u64)(angle.quadrant & 2) << 62);
  return flip_sign(angle.rest.high == 0.0 ? of_multiple : turn_tangent(sine, cosine, angle.quadrant), x);
}
