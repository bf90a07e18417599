// SPDX-License-Identifier: Apache-2.0
// asinpif, acospif, atanpif, atan2pif: angles divided by pi.
#include "float/arc.h"

PUBLIC float asinpif(float x) {
  arcsinef part = arcsine_partf(__builtin_fabsf(x));
  return finish_arcsinef(part.halved, over_pif(part.arc), quarter_turn_f, x);
}

PUBLIC float acospif(float x) {
  arcsinef part = arcsine_partf(__builtin_fabsf(x));
  return finish_arccosinef(part.halved, over_pif(part.arc), quarter_turn_f, half_turn_f, x);
}

PUBLIC float atanpif(float x) {
  octantf at = octant_of_tangentf(__builtin_fabsf(x));
  return finish_arctangentf(at, over_pif(at.arc), quarter_turn_f, half_turn_f, x);
}

PUBLIC float atan2pif(float y, float x) {
  octantf at = octant_of_pointf(y, x);
  return finish_arctangentf(at, over_pif(at.arc), quarter_turn_f, half_turn_f, y);
}
