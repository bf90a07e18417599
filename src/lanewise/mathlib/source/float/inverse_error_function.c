// SPDX-License-Identifier: Apache-2.0
// erfinvf, erfcinvf, normcdfinvf.
//
// All three are the inverse of erf at some y, of which a = 1 - |y| is known exactly. In the middle it is y plus a
// rational function of y^2 times y; in the tail, with s = sqrt(-log(a)), it is s - 1/4 plus a rational function of s.
// What is added is at most a seventh of the result, so that errors of the quotient count little. One quotient serves
// both. The split, and the variable of the tail, are those of Wichura, Algorithm AS 241: the percentage points of the
// normal distribution (Applied Statistics 37, 1988).
#include "float/logarithm.h"

// The inverse of erf at |y| = 1 - a, as a sum whose second part is at most a seventh of it; `size` is |y|, rounded.
PRIVATE pairf inverse_error_functionf(float size, float a) {
  // erfinv(y)/y - 1 at 9/16 - y^2, for |y| <= 3/4: error 2^-27.3 relative to erfinv(y).
  static const float MIDDLE_ABOVE[] = {
      0x1.5a5b5ep-4f, -0x1.3467f4p-2f, -0x1.b7bd3cp-1f, -0x1.2cff0ep-2f,
  };
  static const float MIDDLE_BELOW[] = {
      1.0f, 0x1.8bbd46p1f, 0x1.3c2b12p1f, 0x1.a70852p-2f,
  };
  // s (erfcinv(a) - s + 1/4) at s, for a from 2^-149 to 1/4: error 2^-28.1 relative to erfcinv(a).
  static const float TAIL_ABOVE[] = {
      -0x1.5e189ep-7f, 0x1.1e6a74p-2f, -0x1.3a7eecp-1f, -0x1.46cf1ap-2f, 0x1.6272fap-4f, 0x1.dddb9cp-8f,
  };
  static const float TAIL_BELOW[] = {
      1.0f, 0x1.545174p0f, 0x1.05a44p1f, 0x1.442132p-1f, 0x1.eab9fcp-6f,
  };
  pairf sum = natural_logarithmf(a), logarithm = fast_two_sumf(sum.high, sum.low);
  float s = __builtin_sqrtf(-logarithm.high);
  pairf square = two_productf(s, s);
  float missing = ((-logarithm.high - square.high) - square.low) - logarithm.low; // twice s times what s lacks
  float tail_below = POLYNOMIALF(s, TAIL_BELOW);
  float tail_above = madf(0.5f * missing, tail_below, POLYNOMIALF(s, TAIL_ABOVE));
  float v = madf(-size, size, 0.5625f);
  float middle_above = POLYNOMIALF(v, MIDDLE_ABOVE), middle_below = POLYNOMIALF(v, MIDDLE_BELOW);

  i32 is_middle = v >= 0.0f;
  float quotient = (is_middle ? middle_above : tail_above) / (is_middle ? middle_below : s * tail_below);
  // Below a half, 1 - a may have been rounded to `size`; between 1/2 and 3/4, the slope is from 1.11 to 1.72.
  float middle_rest = madf(1.375f, (1.0f - size) - a, size * quotient);
  return (pairf){is_middle ? size : s - 0.25f, is_middle ? middle_rest : quotient};
}

// `size` with the sign of y, where a > 0; what becomes of it at the ends, and beyond.
PRIVATE float signed_inversef(float size, float y, float a) {
  float end = a == 0.0f ? INFINITYF : NANF;
  return __builtin_copysignf(a > 0.0f ? size : end, y);
}

PUBLIC float erfinvf(float x) {
  float size = __builtin_fabsf(x), a = 1.0f - size;
  pairf inverse = inverse_error_functionf(size, a);
  return signed_inversef(inverse.high + inverse.low, x, a);
}

PUBLIC float erfcinvf(float x) {
  float y = 1.0f - x, a = x < 1.0f ? x : 2.0f - x;
  pairf inverse = inverse_error_functionf(__builtin_fabsf(y), a);
  return signed_inversef(inverse.high + inverse.low, y, a);
}

// sqrt(2) erfinv(2x - 1).
PUBLIC float normcdfinvf(float x) {
  const float SQRT_2 = 0x1.6a09e6p0f, SQRT_2_LOW = 0x1.9fcef4p-26f;
  float y = 2.0f * x - 1.0f, a = 2.0f * (x < 0.5f ? x : 1.0f - x);
  pairf inverse = inverse_error_functionf(__builtin_fabsf(y), a);
  float low = madf(inverse.low, SQRT_2, inverse.high * SQRT_2_LOW);
  return signed_inversef(madf(inverse.high, SQRT_2, low), y, a);
}
