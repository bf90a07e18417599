// SPDX-License-Identifier: Apache-2.0
// expf, exp2f, exp10f.
//
// The argument is clamped to where the result is 0 or infinite. It is an even number 2 m of steps of the base's logarithm
// of 2 and a remainder r: the polynomial of r times 2^m, twice, of which only the second product rounds.
#include "hardware/float/natural_exponential.h"

PRIVATE float clampedf(float x, float least, float most) { return lesserf(greaterf(x, least), most); }

PUBLIC float expf(float x) {
  natural_partsf parts = natural_parts_of(clampedf(x, -104.0f, 89.0f));
  return times_square_of_power(madf(POLYNOMIALF(parts.r, EXPONENTIAL_P), parts.r, 1.0f), parts.shifted);
}

// CUDA allows what the instruction promises.
PUBLIC float exp2f(float x) { return approximate_exp2f(x); }

// (10^r - 1) / r for |r| <= 0.3015: minimax, error 2^-27.8 relative to 10^r.
PUBLIC float exp10f(float x) {
  static const float P[] = {0x1.26bb1cp1f,  0x1.535254p1f, 0x1.047044p1f,  0x1.2bd358p0f,
                            0x1.142d9cp-1f, 0x1.aa56f2p-3f, 0x1.18914ap-4f, 0x1.a7f7e2p-7f};
  x = clampedf(x, -46.0f, 39.0f);
  float shifted = madf(x, 0x1.a934fp0f, EXPONENT_ROUNDER), m = shifted - EXPONENT_ROUNDER;
  float r = madf(m, 0x1.ec10cp-26f, madf(m, -0x1.344136p-1f, x)); // 2 lg 2 as 0x1.344136p-1 - 0x1.ec10cp-26
  return times_square_of_power(madf(POLYNOMIALF(r, P), r, 1.0f), shifted);
}
