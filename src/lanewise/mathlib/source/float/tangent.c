// SPDX-License-Identifier: Apache-2.0
// tanf.
#include "float/circle.h"

PUBLIC float tanf(float x) {
  reduced_anglef angle = reduce_anglef(__builtin_fabsf(x));
  pairf sine = sine_near_zerof(angle.rest), cosine = cosine_near_zerof(angle.rest);
  return flip_signf(turn_tangentf(sine, cosine, angle.quadrant), x);
}
