// SPDX-License-Identifier: Apache-2.0
// sinf, cosf, sincosf.
//
// CUDA allows 2 ulp, for which the rest of the angle needs no low part.
#include "float/circle.h"

// Minimax for |x| <= 0.79, the polynomial in x^2: error 2^-27.8 relative to the sine.
PRIVATE float sine_of_restf(float x) {
  float square = x * x;
  float p = madf(madf(-0x1.991c26p-13f, square, 0x1.1106c6p-7f), square, -0x1.555544p-3f);
  return madf(p, square * x, x);
}

// The same for the cosine: 2^-32.9.
PRIVATE float cosine_of_restf(float x) {
  float square = x * x;
  float p = madf(madf(0x1.99e336p-16f, square, -0x1.6c0c1ep-10f), square, 0x1.55554ap-5f);
  return madf(madf(p, square, -0.5f), square, 1.0f);
}

// The sine of an angle, or with one more quadrant its cosine, from those of its rest.
PRIVATE float sine_in_quadrantf(float sine, float cosine, u32 quadrant) {
  return from_bits_f(bits_f(quadrant & 1 ? cosine : sine) ^ (quadrant & 2) << 30);
}

PUBLIC float sinf(float x) {
  rounded_anglef angle = round_anglef(__builtin_fabsf(x));
  float sine = sine_of_restf(angle.rest), cosine = cosine_of_restf(angle.rest);
  return flip_signf(sine_in_quadrantf(sine, cosine, angle.quadrant), x);
}

PUBLIC float cosf(float x) {
  rounded_anglef angle = round_anglef(__builtin_fabsf(x));
  return sine_in_quadrantf(sine_of_restf(angle.rest), cosine_of_restf(angle.rest), angle.quadrant + 1);
}

PUBLIC void sincosf(float x, float *sine, float *cosine) {
  rounded_anglef angle = round_anglef(__builtin_fabsf(x));
  float sine_of_rest = sine_of_restf(angle.rest), cosine_of_rest = cosine_of_restf(angle.rest);
  *sine = flip_signf(sine_in_quadrantf(sine_of_rest, cosine_of_rest, angle.quadrant), x);
  *cosine = sine_in_quadrantf(sine_of_rest, cosine_of_rest, angle.quadrant + 1);
}
