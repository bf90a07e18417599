// SPDX-License-Identifier: Apache-2.0
// tan.
#include "double/circle.h"

PUBLIC double tan(double x) {
  reduced_angle angle = reduce_angle(__builtin_fabs(x));
  pair sine = sine_near_zero(angle.rest), cosine = cosine_near_zero(angle.rest);
  return flip_sign(turn_tangent(sine, cosine, angle.quadrant), x);
}
