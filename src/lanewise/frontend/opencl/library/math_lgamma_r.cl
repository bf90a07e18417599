// SPDX-License-Identifier: Apache-2.0
// lgamma_r (6.12.2).
#include "two_results.h"

PURE COMPUTED __lw_of_library(COMPUTED x) LIBRARY(lgamma);

// Gamma is negative from the pole at -1 to that at 0, from -3 to -2, and so on; at a zero it has the zero's sign.
OVERLOAD ELEMENT lgamma_r(ELEMENT x, int *sign) {
  ELEMENT down = __builtin_elementwise_floor(x), half_down = down * (ELEMENT)0.5;
  bool is_odd = half_down != __builtin_elementwise_floor(half_down);
  bool is_negative = x == 0 ? __builtin_astype(x, SIGNED) < 0 : x < 0 && is_odd;
  *sign = is_negative ? -1 : 1;
  return (ELEMENT)__lw_of_library(x);
}
ALL_WIDTHS(1, lgamma_r, ELEMENT, int)
