// SPDX-License-Identifier: Apache-2.0
// rsqrtf, cbrtf.
#include "hardware/instructions.h"

// The instruction's 2^-22.9 is at most 2.14 ulp: the result is at most 2 ulp from the correctly rounded one.
PUBLIC float rsqrtf(float x) { return approximate_reciprocal_rootf(x); }

// y + (x - y^3) / (3 y^2), with y = 2^(log2(x) / 3) to 2^-16, whose error is squared. Numbers below 2^-96 are scaled so
// that x - y^3 keeps its bits.
PUBLIC float cbrtf(float x) {
  float size = __builtin_fabsf(x);
  int small = size < 0x1p-96f;
  float scaled = small ? size * 0x1p60f : size;
  float y = approximate_exp2_flushedf(approximate_log2_flushedf(scaled) * 0x1.555556p-2f), square = y * y;
  float rest = madf(-square, y, scaled) * 0x1.555556p-2f;
  float root = madf(rest, approximate_reciprocal_flushedf(square), y);
  root = __builtin_copysignf(small ? root * 0x1p-20f : root, x);
  return bits_f(scaled) - 1 < 0x7f7fffff ? root : x + x; // zero, infinity, NaN
}
