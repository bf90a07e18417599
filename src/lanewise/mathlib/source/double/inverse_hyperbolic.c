// SPDX-License-Identifier: Apache-2.0
// Inverse hyperbolic functions as log(1 + f), with f as a pair.
#include "double/logarithm.h"
#include "double/square.h"

// log(1 + f) for f >= 0, below 2^1000, and log(2 x) in its place where x is large.
PRIVATE double logarithm_of_sum(pair f, double x, u32 is_large) {
  pair sum = two_sum(1, f.high);
  reduced_logarithm reduced = reduce_logarithm((pair){is_large ? x : sum.high, is_large ? 0 : sum.low + f.low});
  return logarithm(reduced.k + (is_large ? 1 : 0), reduced.f);
}

// The root of a sum as a pair, and 0 for 0.
PRIVATE pair root_of_pair(pair x) {
  double root = __builtin_sqrt(x.high);
  pair squared = square(root);
  double residual = ((x.high - squared.high) - squared.low) + x.low;
  return (pair){root, root > 0 ? residual * (0.5 / root) : 0};
}

// f = x + x^2 / (1 + sqrt(1 + x^2)), for x >= 0. From 2^30 on, log(2 x) is right to 2^-62.
PUBLIC double asinh(double x) {
  double magnitude = __builtin_fabs(x);
  u32 is_large = magnitude > 0x1p30;
  double a = is_large ? 1 : magnitude, squared = a * a;
  double beyond = squared / (1 + __builtin_sqrt(1 + squared));
  double result = logarithm_of_sum(fast_two_sum(a, beyond), magnitude, is_large);
  return magnitude < INFINITY ? __builtin_copysign(result, x) : x;
}

// f = t + sqrt(t (t + 2)), where t = x - 1.
PUBLIC double acosh(double x) {
  u32 is_large = x > 0x1p30;
  double a = is_large ? 2 : x;
  pair t = fast_two_sum(a, -1), factor = fast_two_sum(2, t.high);
  pair product = two_product(t.high, factor.high);
  product.low = mad(t.high, factor.low, mad(2 * t.high + 2, t.low, product.low));
  pair root = root_of_pair(product), f = two_sum(root.high, t.high);
  double result = logarithm_of_sum((pair){f.high, f.low + (root.low + t.low)}, x, is_large);
  return x < 1 ? NAN : x < INFINITY ? result : x;
}

// f = 2 x / (1 - x), for x >= 0; the result is half of log(1 + f).
PUBLIC double atanh(double x) {
  double magnitude = __builtin_fabs(x), a = magnitude < 1 ? magnitude : 0;
  pair denominator = fast_two_sum(1, -a);
  double inverse = 1 / denominator.high, quotient = 2 * a * inverse;
  pair back = two_product(quotient, denominator.high);
  double remainder = ((2 * a - back.high) - back.low) - quotient * denominator.low;
  double result = 0.5 * logarithm_of_sum(fast_two_sum(quotient, remainder * inverse), 1, 0);
  result = magnitude < 1 ? result : magnitude == 1 ? INFINITY : NAN;
  return __builtin_copysign(result, x);
}
