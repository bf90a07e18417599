// SPDX-License-Identifier: Apache-2.0
// Inverse hyperbolic functions as log(1 + f), with f as a pair.
#include "double/logarithm.h"
#include "double/square.h"
#include "reciprocal.h"

PRIVATE pair one_plus(pair f) {
  pair sum = two_sum(1, f.high);
  return (pair){sum.high, sum.low + f.low};
}

// log(x) for x from 1 to infinity.
PRIVATE double logarithm_of_pair(pair x) {
  reduced_logarithm reduced = reduce_logarithm(x);
  return logarithm(reduced.k, reduced.f);
}

// log(sum), and log(2 x), to which asinh(x) and acosh(x) are equal to 2^-62, where x > LARGE.
static const double LARGE = 0x1p30;
PRIVATE double logarithm_of_either(pair sum, double x) {
  u32 is_large = x > LARGE;
  reduced_logarithm reduced = reduce_logarithm((pair){is_large ? x : sum.high, is_large ? 0 : sum.low});
  return logarithm(is_large ? reduced.k + 1 : reduced.k, reduced.f);
}

// The root of a sum as a pair, and 0 for 0.
PRIVATE pair root_of_pair(pair x) {
  double root = __builtin_sqrt(x.high);
  pair squared = square(root);
  double residual = ((x.high - squared.high) - squared.low) + x.low;
  double correction = residual * (0.5 / root);
  return (pair){root, root > 0 ? correction : 0};
}

// f = x + (sqrt(1 + x^2) - 1), for x >= 0.
PUBLIC double asinh(double x) {
  double magnitude = __builtin_fabs(x), a = magnitude > LARGE ? 1 : magnitude;
  pair squared = square(a), radicand = one_plus(squared), root = root_of_pair(radicand);
  double result = logarithm_of_either(one_plus(two_sum(a, (root.high - 1) + root.low)), magnitude);
  return magnitude < INFINITY ? __builtin_copysign(result, x) : x;
}

// f = t + sqrt(t (t + 2)), where t = x - 1.
PUBLIC double acosh(double x) {
  double a = x > LARGE ? 2 : x;
  pair t = fast_two_sum(a, -1), factor = fast_two_sum(2, t.high);
  pair product = two_product(t.high, factor.high);
  product.low = mad(t.high, factor.low, mad(2 * t.high + 2, t.low, product.low));
  pair root = root_of_pair(product), f = two_sum(root.high, t.high);
  double result = logarithm_of_either(one_plus((pair){f.high, f.low + (root.low + t.low)}), x);
  return x < 1 ? NAN : x < INFINITY ? result : x;
}

// f = 2 x / (1 - x), for x >= 0; the result is half of log(1 + f).
PUBLIC double atanh(double x) {
  double magnitude = __builtin_fabs(x), a = magnitude < 1 ? magnitude : 0;
  pair denominator = fast_two_sum(1, -a);
  double inverse = reciprocal(denominator.high), quotient = 2 * a * inverse;
  pair back = two_product(quotient, denominator.high);
  double remainder = ((2 * a - back.high) - back.low) - quotient * denominator.low;
  double result = 0.5 * logarithm_of_pair(one_plus(fast_two_sum(quotient, remainder * inverse)));
  result = magnitude < 1 ? result : magnitude == 1 ? INFINITY : NAN;
  return __builtin_copysign(result, x);
}
