// SPDX-License-Identifier: Apache-2.0
// half_ functions (6.12.2), which may err by 8192 ulp on part of the range: those of full precision are as fast on most
// devices, and right everywhere. NAME is one that the mathematical library has under STANDARD.
#include "types.h"

#if defined(STANDARD)

PURE float __lw_of_library(float x) LIBRARY(STANDARD);

OVERLOAD float NAME(float x) { return __lw_of_library(x); }
BY_COMPONENT_1(float, NAME, float)

#else

PURE float __lw_powr(float x, float y) LIBRARY(powr);

OVERLOAD float half_powr(float x, float y) { return __lw_powr(x, y); }
BY_COMPONENT_2(float, half_powr, float, float)

#define ARITHMETIC(t)                                                    \
  OVERLOAD t half_recip(t x) { return 1 / x; }                           \
  OVERLOAD t half_sqrt(t x) { return __builtin_elementwise_sqrt(x); }    \
  OVERLOAD t half_divide(t x, t y) { return x / y; }
WIDTHS(ARITHMETIC, float)

#endif
