// SPDX-License-Identifier: Apache-2.0
// asinf, acosf, atanf, atan2f.
#include "float/arc.h"

PUBLIC float asinf(float x) {
  arcsinef part = arcsine_partf(__builtin_fabsf(x));
  return finish_arcsinef(part.halved, part.arc, half_pi_f, x);
}

PUBLIC float acosf(float x) {
  arcsinef part = arcsine_partf(__builtin_fabsf(x));
  return finish_arccosinef(part.halved, part.arc, half_pi_f, pi_f, x);
}

PUBLIC float atanf(float x) {
  octantf at = octant_of_tangentf(__builtin_fabsf(x));
  return finish_arctangentf(at, at.arc, half_pi_f, pi_f, x);
}

PUBLIC float atan2f(float y, float x) {
  octantf at = octant_of_pointf(y, x);
  return finish_arctangentf(at, at.arc, half_pi_f, pi_f, y);
}
