// SPDX-License-Identifier: Apache-2.0
// tanf.
#include "float/circle.h"

// The tangent of the rest, or where the quadrant is odd, its inverse, negated. The polynomial is (tan(r) / r - 1) / r^2
// in r^2, minimax for |r| <= 0.79: error 2^-29.2 relative to the tangent.
PUBLIC float tanf(float x) {
  static const float P[] = {0x1.555562p-2f, 0x1.110d1ap-3f,  0x1.baf0bap-5f, 0x1.5bd4d4p-6f,
                            0x1.6798c2p-7f, -0x1.78a5d2p-14f, 0x1.24bf2cp-8f};
  rounded_anglef angle = round_anglef(__builtin_fabsf(x));
  float square = angle.rest * angle.rest;
  float tangent = madf(POLYNOMIALF(square, P), square * angle.rest, angle.rest);
  float inverse = reciprocalf(tangent);
#if LW_HARDWARE
  inverse = madf(madf(-tangent, inverse, 1.0f), inverse, inverse);
#endif
  return flip_signf(angle.quadrant & 1 ? -inverse : tangent, x);
}
