// SPDX-License-Identifier: Apache-2.0
// asinpi, acospi, atanpi, atan2pi: angles divided by pi.
#include "double/arc.h"

PUBLIC double asinpi(double x) {
  arcsine part = arcsine_part(__builtin_fabs(x));
  return finish_arcsine(part.halved, over_pi(part.arc), quarter_turn, x);
}

PUBLIC double acospi(double x) {
  arcsine part = arcsine_part(__builtin_fabs(x));
  return finish_arccosine(part.halved, over_pi(part.arc), quarter_turn, half_turn, x);
}

PUBLIC double atanpi(double x) {
  octant at = octant_of_tangent(__builtin_fabs(x));
  return finish_arctangent(at, over_pi(at.arc), quarter_turn, half_turn, x);
}

PUBLIC double atan2pi(double y, double x) {
  octant at = octant_of_point(y, x);
  return finish_arctangent(at, over_pi(at.arc), quarter_turn, half_turn, y);
}
