// SPDX-License-Identifier: Apache-2.0
// sinf, cosf, sincosf.
//
// CUDA allows 2 ulp, for which the rest of the angle needs no low part. One polynomial is computed rather than both: the
// quadrant chooses its coefficients.
#include "float/argument_reduction.h"

// The angle is quadrant * pi / 2 + rest, where |rest| <= 0.8 and quadrant counts modulo 4: its other bits are noise.
typedef struct {
  float rest;
  u32 quadrant;
} single_anglef;

// pi / 2 in three parts, none of which is negative, so that -0 stays: as in reduce_smallf, the first difference is exact.
PRIVATE single_anglef single_angle_of(float x) {
  float shifted = madf(x, 0x1.45f306p-1f, 0x1.8p23f), count = shifted - 0x1.8p23f;
  float rest = madf(count, -0x1.921fb4p0f, x);
  single_anglef angle = {madf(count, -0x1.84698ap-48f, madf(count, -0x1.4442dp-24f, rest)), bits_f(shifted)};
  if (__builtin_expect(__builtin_fabsf(x) >= 0x1p17f, 0)) {
    reduced_anglef large = reduce_largef(__builtin_fabsf(x));
    int negative = x < 0.0f;
    angle.rest = negative ? -large.rest.high : large.rest.high;
    angle.quadrant = negative ? -large.quadrant : large.quadrant;
  }
  return angle;
}

// rest + rest^3 * p(rest^2), or 1 + rest^2 * p(rest^2), minimax for |rest| <= pi / 4: errors 2^-27.9 relative to the sine,
// and 2^-24.6 to the cosine.
PRIVATE float sine_of(single_anglef angle) {
  int odd = angle.quadrant & 1;
  float base = odd ? 1.0f : angle.rest, square = angle.rest * angle.rest;
  float p = odd ? -0x1.644958p-10f : -0x1.994062p-13f;
  p = madf(p, square, odd ? 0x1.553e68p-5f : 0x1.11073p-7f);
  p = madf(p, square, odd ? -0x1.ffffb2p-2f : -0x1.555546p-3f);
  float size = madf(p, madf(square, base, 0.0f), base); // the sum with 0 is never -0, so that the sine of -0 is
  return from_bits_f(bits_f(size) ^ (angle.quadrant & 2) << 30);
}

PRIVATE single_anglef turned(single_anglef angle) { return (single_anglef){angle.rest, angle.quadrant + 1}; }

PUBLIC float sinf(float x) { return sine_of(single_angle_of(x)); }

PUBLIC float cosf(float x) { return sine_of(turned(single_angle_of(x))); }

PUBLIC void sincosf(float x, float *sine, float *cosine) {
  single_anglef angle = single_angle_of(x);
  *sine = sine_of(angle);
  *cosine = sine_of(turned(angle));
}
