// SPDX-License-Identifier: Apache-2.0
// erfinv, erfcinv, normcdfinv.
//
// All three are the inverse of erf at some y, of which a = 1 - |y| is known exactly. In the middle it is y plus a
// rational function of y^2 times y; in the tail, with s = sqrt(-log(a)), it is s - 1/4 plus a rational function of s.
// What is added is at most a seventh of the result, so that errors of the quotient count little. One quotient serves
// both. The split, and the variable of the tail, are those of Wichura, Algorithm AS 241: the percentage points of the
// normal distribution (Applied Statistics 37, 1988).
#include "double/logarithm.h"

// The inverse of erf at |y| = 1 - a, as a sum whose second part is at most a seventh of it; `size` is |y|, rounded.
PRIVATE pair inverse_error_function(double size, double a) {
  // erfinv(y)/y - 1 at 9/16 - y^2, for |y| <= 3/4: error 2^-59.3 relative to erfinv(y).
  static const double MIDDLE_ABOVE[] = {
      0x1.5a5b5f9cc7c0bp-4, 0x1.814d7fdad3ac0p-5, -0x1.ac317a07c0c3cp0, -0x1.4c9049c1f4137p2, -0x1.851ddbbda6616p2,
      -0x1.894275bf031a6p1, -0x1.330e477cbc061p-1, -0x1.e5a042de7815fp-6,
  };
  static const double MIDDLE_BELOW[] = {
      1.0, 0x1.cd6b0f43055f0p2, 0x1.43ea3f897b49bp4, 0x1.bfe38a036853fp4, 0x1.3daf8de0c5074p4, 0x1.b56269051a6d1p2,
      0x1.ec69a02b7e2cep-1, 0x1.1fd5a71d64986p-5,
  };
  // s (erfcinv(a) - s + 1/4) at s, for a from 2^-1074 to 1/4: error 2^-56.6 relative to erfcinv(a).
  static const double TAIL_ABOVE[] = {
      0x1.4a5ae464f608dp-14, 0x1.fc9b25f684ff7p-3, -0x1.c6c7fdcd0f037p-2, -0x1.fb6fe81e8657cp-3, -0x1.1a0681ae279a1p0,
      -0x1.160cf64f806ebp-1, -0x1.1f45d10f1f51fp-3, -0x1.1ad9fb6ff6079p-4, 0x1.6ecfe3129cd22p-7, 0x1.62ffb01954251p-8,
      0x1.c310b40a1b6bbp-12, 0x1.53dd73b44e683p-17, 0x1.fb9143baa6b1ep-25,
  };
  static const double TAIL_BELOW[] = {
      1.0, 0x1.15a278f1fca04p1, 0x1.193b3abfe7c8cp2, 0x1.2d75a055d6fd0p2, 0x1.1e05b8a0801a7p2, 0x1.1662d4120097bp1,
      0x1.ca9c4ca1a3b96p-1, 0x1.1b12fe071fc97p-2, 0x1.3d1f748a45144p-5, 0x1.1b5be333c9c84p-9, 0x1.6e8a947baf5e1p-15,
      0x1.fe4df27e5cbefp-23, -0x1.800900be9933dp-40,
  };
  pair sum = natural_logarithm(a), logarithm = fast_two_sum(sum.high, sum.low);
  double s = __builtin_sqrt(-logarithm.high);
  pair square = two_product(s, s);
  double missing = ((-logarithm.high - square.high) - square.low) - logarithm.low; // twice s times what s lacks
  double tail_below = POLYNOMIAL(s, TAIL_BELOW);
  double tail_above = mad(0.5 * missing, tail_below, POLYNOMIAL(s, TAIL_ABOVE));
  double v = mad(-size, size, 0.5625);
  double middle_above = POLYNOMIAL(v, MIDDLE_ABOVE), middle_below = POLYNOMIAL(v, MIDDLE_BELOW);

  i32 is_middle = v >= 0;
  double quotient = (is_middle ? middle_above : tail_above) / (is_middle ? middle_below : s * tail_below);
  // Below a half, 1 - a may have been rounded to `size`; between 1/2 and 3/4, the slope is from 1.11 to 1.72.
  double middle_rest = mad(1.375, (1 - size) - a, size * quotient);
  return (pair){is_middle ? size : s - 0.25, is_middle ? middle_rest : quotient};
}

// `size` with the sign of y, where a > 0; what becomes of it at the ends, and beyond.
PRIVATE double signed_inverse(double size, double y, double a) {
  double end = a == 0 ? INFINITY : NAN;
  return __builtin_copysign(a > 0 ? size : end, y);
}

PUBLIC double erfinv(double x) {
  double size = __builtin_fabs(x), a = 1 - size;
  pair inverse = inverse_error_function(size, a);
  return signed_inverse(inverse.high + inverse.low, x, a);
}

PUBLIC double erfcinv(double x) {
  double y = 1 - x, a = x < 1 ? x : 2 - x;
  pair inverse = inverse_error_function(__builtin_fabs(y), a);
  return signed_inverse(inverse.high + inverse.low, y, a);
}

// sqrt(2) erfinv(2x - 1).
PUBLIC double normcdfinv(double x) {
  const double SQRT_2 = 0x1.6a09e667f3bcdp0, SQRT_2_LOW = -0x1.bdd3413b26456p-54;
  double y = 2 * x - 1, a = 2 * (x < 0.5 ? x : 1 - x);
  pair inverse = inverse_error_function(__builtin_fabs(y), a);
  double low = mad(inverse.low, SQRT_2, inverse.high * SQRT_2_LOW);
  return signed_inverse(mad(inverse.high, SQRT_2, low), y, a);
}
