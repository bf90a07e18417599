// SPDX-License-Identifier: Apache-2.0
// exp.
#include "double/exponential.h"

// e^r = 1 + r (1 + r (1/2 + r P)), of which only the last two sums round visibly, and powers of two.
PUBLIC double exp(double x) {
  double clamped = clamp(x, -750, 710), n = rounded_product(clamped, LOG2_E);
  double r = mad(-n, LN2_LOW, mad(-n, LN2_HIGH, clamped));
  double power = mad(mad(mad(exponential_cubic(r), r, 0.5), r, 1), r, 1);
  return __lw_scale_by_power_of_two(power, n);
}
