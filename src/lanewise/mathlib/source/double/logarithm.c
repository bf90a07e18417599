// SPDX-License-Identifier: Apache-2.0
// Logarithms to the bases e, 2 and 10.
#include "double/logarithm.h"

PUBLIC double log(double x) {
  pair logarithm = natural_logarithm(x);
  return with_special_logarithms(x, logarithm.high + logarithm.low);
}

// (k * high + log(1 + f) * factor) + k * low, where k * high is exact.
PRIVATE double logarithm_to_base(double x, double high, double low, double factor, double factor_tail) {
  binary parts = binary_parts(x);
  pair near_one = logarithm_near_one(parts.mantissa - 1);
  pair product = two_product(near_one.high, factor);
  product.low = mad(near_one.low, factor, mad(near_one.high, factor_tail, product.low));
  pair sum = add_multiple(parts.exponent, high, low, product);
  return with_special_logarithms(x, sum.high + sum.low);
}

PUBLIC double log2(double x) { return logarithm_to_base(x, 1, 0, LOG2_E, LOG2_E_TAIL); }

PUBLIC double log10(double x) {
  return logarithm_to_base(x, LOG10_2_HIGH, LOG10_2_LOW, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
}

// 1 + x is a sum of two numbers exactly; with k = 0, f is x again.
PUBLIC double log1p(double x) {
  reduced_logarithm reduced = reduce_logarithm(two_sum(1, x));
  double result = with_special_logarithms(1 + x, logarithm(reduced.k, reduced.f));
  return x == 0 ? x : result;
}
