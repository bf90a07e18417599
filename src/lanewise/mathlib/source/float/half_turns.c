// SPDX-License-Identifier: Apache-2.0
// sinpif, cospif, sincospif, tanpif: of pi * x.
//
// Zeros are as in IEEE 754-2019, 9.2.1: sinpi(n) has the sign of n, and cospi(n + 1/2) is +0. Adding 0 makes a -0 of
// half a turn +0. tanpi(n) has the sign of n, negated where n is odd, and tanpi(n + 1/2) is infinite, positive where n
// is even.
#include "float/circle.h"

PUBLIC float sinpif(float x) {
  reduced_anglef angle = reduce_half_turnsf(__builtin_fabsf(x));
  pairf sine = sine_near_zerof(angle.rest), cosine = cosine_near_zerof(angle.rest);
  return flip_signf(turn_sinef(sine, cosine, angle.quadrant) + 0.0f, x);
}

PUBLIC float cospif(float x) {
  reduced_anglef angle = reduce_half_turnsf(__builtin_fabsf(x));
  pairf sine = sine_near_zerof(angle.rest), cosine = cosine_near_zerof(angle.rest);
  return turn_sinef(sine, cosine, angle.quadrant + 1) + 0.0f;
}

PUBLIC void sincospif(float x, float *sine, float *cosine) {
  reduced_anglef angle = reduce_half_turnsf(__builtin_fabsf(x));
  pairf sine_of_rest = sine_near_zerof(angle.rest), cosine_of_rest = cosine_near_zerof(angle.rest);
  *sine = flip_signf(turn_sinef(sine_of_rest, cosine_of_rest, angle.quadrant) + 0.0f, x);
  *cosine = turn_sinef(sine_of_rest, cosine_of_rest, angle.quadrant + 1) + 0.0f;
}

PUBLIC float tanpif(float x) {
  reduced_anglef angle = reduce_half_turnsf(__builtin_fabsf(x));
  pairf sine = sine_near_zerof(angle.rest), cosine = cosine_near_zerof(angle.rest);
  float exact = angle.quadrant & 1 ? INFINITYF : 0.0f;
  float of_multiple = from_bits_f(bits_f(exact) | (angle.quadrant & 2) << 30);
  return flip_signf(angle.rest.high == 0.0f ? of_multiple : turn_tangentf(sine, cosine, angle.quadrant), x);
}
