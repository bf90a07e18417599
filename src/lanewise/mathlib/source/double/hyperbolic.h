// SPDX-License-Identifier: Apache-2.0
// What hyperbolic functions are made of: with x = n ln(2) + r, e^r = C + S for C = cosh(r) and S = sinh(r), so
// sinh(x) = 2^(n-1) (D C + A S) and cosh(x) = 2^(n-1) (A C + D S), where A = 1 + 4^-n and D = 1 - 4^-n.
#ifndef LANEWISE_MATHLIB_DOUBLE_HYPERBOLIC_H
#define LANEWISE_MATHLIB_DOUBLE_HYPERBOLIC_H

#include "double/exponential.h"

// sinh(x) and cosh(x), divided by 2^n for an integer n, to 2^-56: sums whose second parts may be 2^-2 of the first.
typedef struct {
  pair sinh, cosh;
  double n;
} hyperbolic_pair;

// For x from 0 to 1000.
PRIVATE hyperbolic_pair hyperbolic_functions(double x) {
  // (sinh(r) - r) / r^3 and (cosh(r) - 1 - r^2/2) / r^4 as functions of r^2, for |r| <= 0.3467: minimax for errors of
  // 2^-61.7 relative to sinh(r) and 2^-70 relative to cosh(r) - 1.
  static const double SINE[] = {0x1.5555555555559p-3, 0x1.111111110f62ap-7, 0x1.a01a01b0206d1p-13,
                                0x1.71ddf7af03193p-19, 0x1.af5ff662a3a33p-26};
  static const double COSINE[] = {0x1.5555555555558p-5, 0x1.6c16c16c14ffap-10, 0x1.a01a01ad8104fp-16,
                                  0x1.27e4cc0909179p-22, 0x1.1f8bef1b5b21dp-29};
  reduced_exponent reduced = reduce_exponent((pair){x, 0});
  double r = reduced.rest.high, r_low = reduced.rest.low, n = reduced.n, squared = r * r;
  double sine = mad(squared * r, POLYNOMIAL(squared, SINE), r_low);
  double cosine = mad(squared, mad(squared, POLYNOMIAL(squared, COSINE), 0.5), r * r_low);

  // Beyond n = 32, nothing is left of 4^-n. A r and D r are sums of products that are exact.
  double quarters = __lw_scale_by_power_of_two(1, n < 32 ? -2 * n : -64);
  pair sum = fast_two_sum(1, quarters), difference = fast_two_sum(1, -quarters);
  pair sum_r = fast_two_sum(r, quarters * r), difference_r = fast_two_sum(r, -quarters * r);
  pair sinh = fast_two_sum(difference.high, sum_r.high), cosh = fast_two_sum(sum.high, difference_r.high);
  sinh.low += sum_r.low + difference.low + mad(difference.high, cosine, sum.high * sine);
  cosh.low += difference_r.low + sum.low + mad(sum.high, cosine, difference.high * sine);
  return (hyperbolic_pair){sinh, cosh, n - 1};
}

#endif
