// SPDX-License-Identifier: Apache-2.0
// The logarithm to 70 bits, as powers need it: an error of log(x) is multiplied by up to 745 in x^y.
#ifndef LANEWISE_MATHLIB_DOUBLE_LOGARITHM_PAIR_H
#define LANEWISE_MATHLIB_DOUBLE_LOGARITHM_PAIR_H

#include "double/logarithm.h"
#include "reciprocal.h"

// log(x) of a positive finite number, with an error of 2^-70.4 of its size. With x = 2^k m and c the nearest to m of
// about 2^(-1/3), 1 and 2^(1/3), it is k ln(2) + log(c) + 2 artanh(s), where s = (m - c) / (m + c) and |s| <= 0.05779.
PRIVATE pair logarithm_pair(double x) {
  // 2 (artanh(s) - s - s^3 / 3) / s^5 as a function of s^2: minimax for an error of 2^-73.7 relative to the logarithm.
  static const double P[] = {0x1.99999999999dap-2, 0x1.249249246289ap-2, 0x1.c71c7360ea0e7p-3, 0x1.7459e79a206efp-3,
                             0x1.3e10f32d4f000p-3};
  const double two_thirds = 0x1.5555555555555p-1, two_thirds_tail = 0x1.5555555555555p-55;
  binary parts = binary_parts(x);
  double m = parts.mantissa;
  u32 below = m < 0x1.c82p-1, above = m > 0x1.1f6p+0;
  double c = below ? 0x1.966p-1 : above ? 0x1.428p+0 : 1;
  // log(c), whose first part is a multiple of 2^-42, as is LN2_HIGH.
  pair log_c = {below ? -0x1.d92fd2b13ap-3 : above ? 0x1.d8ef91af3p-3 : 0,
                below ? 0x1.c49ae34ac479cp-43 : above ? 0x1.d5df407936710p-43 : 0};

  // m - c is exact: neither is more than twice the other.
  double numerator = m - c;
  pair denominator = two_sum(m, c);
  double inverse = reciprocal(denominator.high), quotient = numerator * inverse;
  pair back = two_product(quotient, denominator.high);
  double remainder = ((numerator - back.high) - back.low) - quotient * denominator.low;
  pair s = fast_two_sum(quotient, remainder * inverse);

  // 2 s + s^3 (2/3 + s^2 P(s^2)), of which all but P needs both parts.
  pair squared = square(s.high);
  squared.low = mad(2 * s.high, s.low, squared.low);
  pair slope = fast_two_sum(two_thirds, squared.high * POLYNOMIAL(squared.high, P));
  slope.low += two_thirds_tail;
  pair cube = two_product(squared.high, s.high);
  cube.low += mad(squared.high, s.low, squared.low * s.high);
  pair cubic = two_product(cube.high, slope.high);
  cubic.low += mad(cube.high, slope.low, cube.low * slope.high);

  // The first sum is exact, a multiple of 2^-42 below 2^10.
  double whole = parts.exponent * LN2_HIGH + log_c.high;
  pair linear = fast_two_sum(whole, 2 * s.high);
  pair sum = fast_two_sum(linear.high, cubic.high);
  double low = mad(parts.exponent, LN2_LOW, log_c.low) + (linear.low + (sum.low + mad(2, s.low, cubic.low)));
  return fast_two_sum(sum.high, low);
}

#endif
