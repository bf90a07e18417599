// SPDX-License-Identifier: Apache-2.0
// sinf, cosf, sincosf.
#include "float/circle.h"

PUBLIC float sinf(float x) {
  reduced_anglef angle = reduce_anglef(__builtin_fabsf(x));
  return flip_signf(turn_sinef(sine_near_zerof(angle.rest), cosine_near_zerof(angle.rest), angle.quadrant), x);
}

PUBLIC float cosf(float x) {
  reduced_anglef angle = reduce_anglef(__builtin_fabsf(x));
  return turn_sinef(sine_near_zerof(angle.rest), cosine_near_zerof(angle.rest), angle.quadrant + 1);
}

PUBLIC void sincosf(float x, float *sine, float *cosine) {
  reduced_anglef angle = reduce_anglef(__builtin_fabsf(x));
  pairf sine_of_rest = sine_near_zerof(angle.rest), cosine_of_rest = cosine_near_zerof(angle.rest);
  *sine = flip_signf(turn_sinef(sine_of_rest, cosine_of_rest, angle.quadrant), x);
  *cosine = turn_sinef(sine_of_rest, cosine_of_rest, angle.quadrant + 1);
}
