// SPDX-License-Identifier: Apache-2.0
// sin, cos, sincos.
//
// CUDA allows 2 ulp, for which the rest of the angle needs no low part.
#include "double/circle.h"

// Sine and cosine for |x| <= 0.786, by the polynomials of circle.h.
PRIVATE double sine_of_rest(double x) {
  double square = x * x;
  return mad(sine_beyond_linear(square), square * x, x);
}
PRIVATE double cosine_of_rest(double x) {
  double square = x * x;
  return mad(mad(cosine_beyond_square(square), square, -0.5), square, 1.0);
}

// The sine of an angle, or with one more quadrant its cosine, from those of its rest.
PRIVATE double sine_in_quadrant(double sine, double cosine, u64 quadrant) {
  return from_bits(bits(quadrant & 1 ? cosine : sine) ^ (quadrant & 2) << 62);
}

PUBLIC double sin(double x) {
  rounded_angle angle = round_angle(__builtin_fabs(x));
  double sine = sine_of_rest(angle.rest), cosine = cosine_of_rest(angle.rest);
  return flip_sign(sine_in_quadrant(sine, cosine, angle.quadrant), x);
}

PUBLIC double cos(double x) {
  rounded_angle angle = round_angle(__builtin_fabs(x));
  return sine_in_quadrant(sine_of_rest(angle.rest), cosine_of_rest(angle.rest), angle.quadrant + 1);
}

PUBLIC void sincos(double x, double *sine, double *cosine) {
  rounded_angle angle = round_angle(__builtin_fabs(x));
  double sine_of_angle = sine_of_rest(angle.rest), cosine_of_angle = cosine_of_rest(angle.rest);
  *sine = flip_sign(sine_in_quadrant(sine_of_angle, cosine_of_angle, angle.quadrant), x);
  *cosine = sine_in_quadrant(sine_of_angle, cosine_of_angle, angle.quadrant + 1);
}
