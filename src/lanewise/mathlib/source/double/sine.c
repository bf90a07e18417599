// SPDX-License-Identifier: Apache-2.0
// sin, cos, sincos.
#include "double/circle.h"

PUBLIC double sin(double x) {
  reduced_angle angle = reduce_angle(__builtin_fabs(x));
  return flip_sign(turn_sine(sine_near_zero(angle.rest), cosine_near_zero(angle.rest), angle.quadrant), x);
}

PUBLIC double cos(double x) {
  reduced_angle angle = reduce_angle(__builtin_fabs(x));
  return turn_sine(sine_near_zero(angle.rest), cosine_near_zero(angle.rest), angle.quadrant + 1);
}

PUBLIC void sincos(double x, double *sine, double *cosine) {
  reduced_angle angle = reduce_angle(__builtin_fabs(x));
  pair sine_of_rest = sine_near_zero(angle.rest), cosine_of_rest = cosine_near_zero(angle.rest);
  *sine = flip_sign(turn_sine(sine_of_rest, cosine_of_rest, angle.quadrant), x);
  *cosine = turn_sine(sine_of_rest, cosine_of_rest, angle.quadrant + 1);
}
