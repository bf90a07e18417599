// SPDX-License-Identifier: Apache-2.0
// rsqrtf, cbrtf, rcbrtf.
#include "float/head.h"

PUBLIC float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }

// The cube root of a positive normal number as head + rest, and its reciprocal to 2^-14.
typedef struct {
  float head, rest, reciprocal;
} cube_rootf;

// First an estimate of the reciprocal from a third of the exponent and of the significand, with
// 0.875 < g = x * estimate^3 < 1.068; times the quadratic polynomial that is nearest to 1 / cbrt(g), it is right to
// 2^-14.5. From it the root's head t, whose square is exact, so that one rounding gives x / t^2 = t + w and the root is
//   t * cbrt(1 + w / t) = t + w / 3 - w^2 / (9 * t) + ...
PRIVATE cube_rootf cube_root_partsf(float x) {
  float estimate = from_bits_f(0x54a00000 - bits_f(x) / 3);
  float g = (x * estimate) * (estimate * estimate);
  float reciprocal = estimate * madf(madf(0x1.ea70bcp-3f, g, -0x1.a04996p-1f), g, 0x1.92d46ep0f);
  float head = headf(x * reciprocal * reciprocal);
  float third = (x / (head * head) - head) * 0x1.555556p-2f;
  return (cube_rootf){head, madf(-third * reciprocal, third, third), reciprocal};
}

PUBLIC float cbrtf(float x) {
  float size = __builtin_fabsf(x);
  int denormal = size < 0x1p-126f;
  cube_rootf root = cube_root_partsf(denormal ? size * 0x1p24f : size);
  float result = __builtin_copysignf((root.head + root.rest) * (denormal ? 0x1p-8f : 1.0f), x);
  return bits_f(size) - 1 < 0x7f7fffff ? result : x + x;
}

// From the reciprocal's head, whose product with the root's head is exact, by the next terms of the geometric series.
PUBLIC float rcbrtf(float x) {
  float size = __builtin_fabsf(x);
  int denormal = size < 0x1p-126f;
  cube_rootf root = cube_root_partsf(denormal ? size * 0x1p24f : size);
  float head = headf(root.reciprocal);
  float error = madf(-head, root.rest, 1.0f - head * root.head);
  float result = madf(head, madf(error, error, error), head) * (denormal ? 0x1p8f : 1.0f);
  float edge = x == 0.0f ? INFINITYF : 0.0f;
  edge = x != x ? x : edge;
  return __builtin_copysignf(bits_f(size) - 1 < 0x7f7fffff ? result : edge, x);
}
