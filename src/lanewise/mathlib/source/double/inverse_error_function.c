// SPDX-License-Identifier: Apache-2.0
// erfinv, erfcinv, normcdfinv.
//
// All three are the inverse of erf at a y that is known exactly together with a = 1 - |y|. In the middle it is y plus a
// rational function of y^2 times y, and in the tail, s = sqrt(-log(a)) plus a rational function of s: corrections of at
// most a third and a half. One quotient serves both. The split, and the variable of the tail, are those of Wichura,
// Algorithm AS 241: the percentage points of the normal distribution (Applied Statistics 37, 1988).
#include "double/logarithm.h"

// The inverse of erf at |y|, as an unevaluated sum of which the second part is the smaller; a = 1 - |y| > 0.
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
  // (erfcinv(a) - s) s at s, for a from 2^-1074 to 1/4: error 2^-57.1 relative to erfcinv(a).
  static const double TAIL_ABOVE[] = {
      0x1.f66fce705f471p-14, -0x1.11173abad56bcp-9, -0x1.f80071b7e6c4bp-1, -0x1.6573693a4c3f6p0, -0x1.2e234147e298cp1,
      -0x1.cdd5007f4fcbbp0, -0x1.98cdda527c802p-1, -0x1.5a5eeff9f1a3dp-2, -0x1.13daa566e530ep-4, -0x1.538e8b1ed1416p-8,
      -0x1.364beb8a71fd7p-13, -0x1.6c1d8a7dbbc49p-20, -0x1.59bf59a532acdp-29,
  };
  static const double TAIL_BELOW[] = {
      1.0, 0x1.1b56aa4dbbaf0p1, 0x1.2180847b37d90p2, 0x1.3da2e5339a460p2, 0x1.31f0c4219ecaap2, 0x1.3af97f9921f84p1,
      0x1.0ace4521e00dbp0, 0x1.4711a073ea1ffp-2, 0x1.74e772a6f7e8cp-5, 0x1.5f3918acd7a56p-9, 0x1.fc136ee22070ep-15,
      0x1.d67772647f80ep-22, 0x1.46e0fdba99774p-31,
  };
  pair sum = natural_logarithm(a), logarithm = fast_two_sum(sum.high, sum.low);
  double s = __builtin_sqrt(-logarithm.high);
  pair square = two_product(s, s);
  double missing = ((-logarithm.high - square.high) - square.low) - logarithm.low; // twice s times what s lacks
  double tail_below = POLYNOMIAL(s, TAIL_BELOW);
  double tail_above = mad(0.5 * missing, tail_below, POLYNOMIAL(s, TAIL_ABOVE));
  double v = mad(-size, size, 0.5625);
  i32 middle = v >= 0;
  double above = middle ? POLYNOMIAL(v, MIDDLE_ABOVE) : tail_above;
  double below = middle ? POLYNOMIAL(v, MIDDLE_BELOW) : s * tail_below;
  double quotient = above / below;
  return (pair){middle ? size : s, middle ? size * quotient : quotient};
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
