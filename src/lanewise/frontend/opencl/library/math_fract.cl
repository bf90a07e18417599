// SPDX-License-Identifier: Apache-2.0
// fract (6.12.2).
#include "two_results.h"

// The largest number below 1.
#define BELOW_ONE_half 0x1.ffcp-1h
#define BELOW_ONE_float 0x1.fffffep-1f
#define BELOW_ONE_double 0x1.fffffffffffffp-1

OVERLOAD ELEMENT fract(ELEMENT x, ELEMENT *whole) {
  ELEMENT down = __builtin_elementwise_floor(x), part = x - down;
  *whole = down;
  part = part < JOIN(BELOW_ONE_, ELEMENT) || x != x ? part : JOIN(BELOW_ONE_, ELEMENT);
  return down == x ? __builtin_elementwise_copysign((ELEMENT)0, x) : part; // infinities and zeros, too
}
ALL_WIDTHS(1, fract, ELEMENT, ELEMENT)
