// SPDX-License-Identifier: Apache-2.0
#include "double/hyperbolic.h"

PUBLIC double sinh(double x) {
  hyperbolic_pair functions = hyperbolic_functions(clamp(__builtin_fabs(x), 0, 750));
  double magnitude = __lw_scale_by_power_of_two(functions.sinh.high + functions.sinh.low, functions.n);
  return __builtin_copysign(magnitude, x);
}

PUBLIC double cosh(double x) {
  hyperbolic_pair functions = hyperbolic_functions(clamp(__builtin_fabs(x), 0, 750));
  return __lw_scale_by_power_of_two(functions.cosh.high + functions.cosh.low, functions.n);
}

// sinh(x) / cosh(x), the quotient corrected by its remainder. From 22 on, it is 1.
PUBLIC double tanh(double x) {
  hyperbolic_pair functions = hyperbolic_functions(clamp(__builtin_fabs(x), 0, 22));
  pair numerator = fast_two_sum(functions.sinh.high, functions.sinh.low);
  pair denominator = fast_two_sum(functions.cosh.high, functions.cosh.low);
  double inverse = 1 / denominator.high, quotient = numerator.high * inverse;
  pair back = two_product(quotient, denominator.high);
  double remainder = ((numerator.high - back.high) - back.low) + mad(-quotient, denominator.low, numerator.low);
  return __builtin_copysign(mad(remainder, inverse, quotient), x);
}
