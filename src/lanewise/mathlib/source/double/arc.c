// SPDX-License-Identifier: Apache-2.0
// asin, acos, atan, atan2.
#include "double/arc.h"

PUBLIC double asin(double x) {
  arcsine part = arcsine_part(__builtin_fabs(x));
  return finish_arcsine(part.halved, part.arc, half_pi, x);
}

PUBLIC double acos(double x) {
  arcsine part = arcsine_part(__builtin_fabs(x));
  return finish_arccosine(part.halved, part.arc, half_pi, pi, x);
}

PUBLIC double atan(double x) {
  octant at = octant_of_tangent(__builtin_fabs(x));
  return finish_arctangent(at, at.arc, half_pi, pi, x);
}

PUBLIC double atan2(double y, double x) {
  octant at = octant_of_point(y, x);
  return finish_arctangent(at, at.arc, half_pi, pi, y);
}
