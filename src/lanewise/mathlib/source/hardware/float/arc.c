// SPDX-License-Identifier: Apache-2.0
// atanf, asinf, acosf.
#include "hardware/instructions.h"

#define HALF_PI_F 0x1.921fb6p0f
#define PI_F 0x1.921fb6p1f

// arctan(x) is pi / 2 - arctan(1 / x). An odd polynomial up to 1, minimax: error 2^-25.8 relative to the arc.
PUBLIC float atanf(float x) {
  static const float P[] = {-0x1.5554dcp-2f, 0x1.9978ecp-3f, -0x1.230a9p-3f,  0x1.b4de6ap-4f,
                            -0x1.354ff2p-4f, 0x1.61ebcep-5f, -0x1.0c1362p-6f, 0x1.7e9bdep-9f};
  float size = __builtin_fabsf(x);
  int above = size > 1.0f;
  float t = above ? approximate_reciprocal_flushedf(size) : size, square = t * t;
  float arc = madf(POLYNOMIALF(square, P) * square, t, t);
  // The product of the two constants is pi / 2 to 2^-41.
  return __builtin_copysignf(above ? madf(0x1.0cdb8ep0f, 0x1.7ee49cp0f, -arc) : arc, x);
}

// The arcsine of size up to 1/2, or beyond half of what it lacks to a right angle: the arcsine of
// sqrt((1 - size) / 2). An odd polynomial, minimax: error 2^-27.6 relative to the arc. NaN where size is beyond 1.
typedef struct {
  float arc;
  int halved;
} arcsinef;

PRIVATE arcsinef arcsine_partf(float size) {
  static const float P[] = {0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bb8p-5f, 0x1.8c3e5p-6f, 0x1.595c6p-5f};
  int halved = size > 0.5f;
  float half = madf(size, -0.5f, 0.5f), square = halved ? half : size * size;
  // Of zero, the reciprocal is lowered so that its product with zero is 0. One step of Newton's method.
  float reciprocal = lesserf(approximate_reciprocal_root_flushedf(half), 0x1p60f), root = half * reciprocal;
  root = madf(madf(-root, root, half) * 0.5f, reciprocal, root);
  float sine = halved ? root : size;
  return (arcsinef){madf(POLYNOMIALF(square, P) * square, sine, sine), halved};
}

PUBLIC float asinf(float x) {
  arcsinef part = arcsine_partf(__builtin_fabsf(x));
  return __builtin_copysignf(part.halved ? madf(part.arc, -2.0f, HALF_PI_F) : part.arc, x);
}

// pi / 2 - arcsin(x); for halved arcs, twice the arc or what that lacks to pi.
PUBLIC float acosf(float x) {
  arcsinef part = arcsine_partf(__builtin_fabsf(x));
  float arc = __builtin_copysignf(part.arc, x);
  float base = part.halved ? (x < 0.0f ? PI_F : 0.0f) : HALF_PI_F;
  return madf(arc, part.halved ? 2.0f : -1.0f, base);
}
