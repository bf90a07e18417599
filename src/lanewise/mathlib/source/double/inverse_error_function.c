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
  // erfcinv(a) - s at s, for a from 2^-1074 to 1/4: error 2^-55.8 relative to erfcinv(a).
  static const double TAIL_ABOVE[] = {
      -0x1.ba641319afe8ep-11, -0x1.faf96a284d2aap-1, -0x1.45e735a5783e9p0, -0x1.138bdd54545b7p1, -0x1.6eae4f77d68aap0,
      -0x1.f99b363bc2d4ep-2, -0x1.b39c07dd8d40dp-3, -0x1.536215f786eccp-5, -0x1.69fdb116befbdp-9,
      -0x1.c7ac4d6ee912fp-15, -0x1.5a2571f0389bcp-25, 0x1.412e7d59bc79ap-29, 0x1.8d1ce8c9d9bf7p-41,
  };
  static const double TAIL_BELOW[] = {
      1.0, 0x1.0d94c81d7d790p1, 0x1.0c7b37fa0e6b9p2, 0x1.146b239622f61p2, 0x1.fbc6cc34904fcp1, 0x1.b5249dde18c80p0,
      0x1.498f1a6ae61c5p-1, 0x1.9a4b139921185p-3, 0x1.bb35d49d31e0cp-6, 0x1.5eac10c6dc928p-10, 0x1.41175cae719d9p-16,
      -0x1.d3742a836ec67p-26, -0x1.87265258de79bp-31,
  };
  double s = __builtin_sqrt(-natural_logarithm(a));
  double v = mad(-size, size, 0.5625);
  i32 middle = v >= 0;
  double above = middle ? POLYNOMIAL(v, MIDDLE_ABOVE) : POLYNOMIAL(s, TAIL_ABOVE);
  double below = middle ? POLYNOMIAL(v, MIDDLE_BELOW) : POLYNOMIAL(s, TAIL_BELOW);
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
