// SPDX-License-Identifier: Apache-2.0
// Exponentials of bases e, 2 and 10.
#include "double/exponential.h"

PUBLIC double exp(double x) { return exponential((pair){x, 0}); }

PUBLIC double exp2(double x) {
  static const double LN2 = 0x1.62e42fefa39efp-1, LN2_TAIL = 0x1.abc9e3b39803fp-56;
  static const double LEAST = -1080;
  double clamped = clamp(x, LEAST, 1025);
  double n = rounded_product(clamped, 1), fraction = clamped - n;
  pair rest = two_product(fraction, LN2);
  rest.low = mad(fraction, LN2_TAIL, rest.low);
  double power = exponential_near_one(rest);
  return __lw_scale_by_power_of_two(x < LEAST ? 0 : power, n);
}

PUBLIC double exp10(double x) {
  static const double LOG2_10 = 0x1.a934f0979a371p+1;
  static const double LN10 = 0x1.26bb1bbb55516p+1, LN10_TAIL = -0x1.f48ad494ea3e9p-53;
  static const double LEAST = -325;
  double clamped = clamp(x, LEAST, 309);
  double n = rounded_product(clamped, LOG2_10);
  pair decimal = fast_two_sum(mad(-n, LOG10_2_HIGH, clamped), -n * LOG10_2_LOW);
  pair rest = two_product(decimal.high, LN10);
  rest.low = mad(decimal.low, LN10, mad(decimal.high, LN10_TAIL, rest.low));
  double power = exponential_near_one(rest);
  return __lw_scale_by_power_of_two(x < LEAST ? 0 : power, n);
}

// e^x - 1 = 2^n ((1 - 2^-n) + (e^r - 1)), with 1 - 2^-n as a pair. Below -38 the result is -1; beyond n = 64, nothing
// is left of 2^-n.
PUBLIC double expm1(double x) {
  reduced_exponent reduced = reduce_exponent((pair){clamp(x, -38, 710), 0});
  pair rest = reduced.rest;
  double least = reduced.n < 64 ? reduced.n : 64;
  pair whole = two_sum(1, -__lw_scale_by_power_of_two(1, -least));
  pair quadratic = two_product(0.5 * rest.high, rest.high);
  double cubic = 2 * quadratic.high * rest.high * exponential_cubic(rest.high);
  pair power = fast_two_sum(rest.high, quadratic.high);
  power.low += cubic + mad(rest.low, 1 + rest.high, quadratic.low);
  pair sum = fast_two_sum(whole.high, power.high);
  double result = __lw_scale_by_power_of_two(sum.high + (sum.low + (power.low + whole.low)), reduced.n);
  return x == 0 ? x : result;
}
