// SPDX-License-Identifier: Apache-2.0
// Relational functions (6.12.6) of ELEMENT, a floating-point type: 1 for true of scalars, -1 for each component of
// vectors, as the operators that they are made of.
#include "types.h"

#define INFINITE ((ELEMENT)INFINITY)
#define NORMAL JOIN(NORMAL_, ELEMENT)
#define NORMAL_half 0x1p-14h
#define NORMAL_float FLT_MIN
#define NORMAL_double DBL_MIN

#define RELATIONAL(t, r, i)                                                                          \
  OVERLOAD r isequal(t x, t y) { return x == y; }                                                    \
  OVERLOAD r isnotequal(t x, t y) { return x != y; }                                                 \
  OVERLOAD r isgreater(t x, t y) { return x > y; }                                                   \
  OVERLOAD r isgreaterequal(t x, t y) { return x >= y; }                                             \
  OVERLOAD r isless(t x, t y) { return x < y; }                                                      \
  OVERLOAD r islessequal(t x, t y) { return x <= y; }                                                \
  OVERLOAD r islessgreater(t x, t y) { return (x < y) | (x > y); }                                   \
  OVERLOAD r isordered(t x, t y) { return (x == x) & (y == y); }                                     \
  OVERLOAD r isunordered(t x, t y) { return (x != x) | (y != y); }                                   \
  OVERLOAD r isnan(t x) { return x != x; }                                                           \
  OVERLOAD r isinf(t x) { return __builtin_elementwise_abs(x) == (t)INFINITE; }                      \
  OVERLOAD r isfinite(t x) { return __builtin_elementwise_abs(x) < (t)INFINITE; }                    \
  OVERLOAD r isnormal(t x) { return isfinite(x) & (__builtin_elementwise_abs(x) >= (t)NORMAL); }     \
  OVERLOAD r signbit(t x) { return __builtin_astype(x, i) < (i)0; }
RELATIONAL(ELEMENT, int, SIGNED)
VECTORS_3(RELATIONAL, ELEMENT, SIGNED, SIGNED)
