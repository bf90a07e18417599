// SPDX-License-Identifier: Apache-2.0
// modf (6.12.2).
#include "two_results.h"

OVERLOAD ELEMENT modf(ELEMENT x, ELEMENT *whole) {
  ELEMENT towards_zero = __builtin_elementwise_trunc(x);
  *whole = towards_zero;
  ELEMENT part = towards_zero == x ? (ELEMENT)0 : x - towards_zero; // infinities, too
  return __builtin_elementwise_copysign(part, x);
}
ALL_WIDTHS(1, modf, ELEMENT, ELEMENT)
