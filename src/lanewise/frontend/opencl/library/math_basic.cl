// SPDX-License-Identifier: Apache-2.0
// Built-in math functions that are an operation of kernel IR (6.12.2).
#include "types.h"

#define BASIC(t)                                                                 \
  OVERLOAD t fabs(t x) { return __builtin_elementwise_abs(x); }                  \
  OVERLOAD t ceil(t x) { return __builtin_elementwise_ceil(x); }                 \
  OVERLOAD t floor(t x) { return __builtin_elementwise_floor(x); }               \
  OVERLOAD t rint(t x) { return __builtin_elementwise_rint(x); }                 \
  OVERLOAD t trunc(t x) { return __builtin_elementwise_trunc(x); }               \
  OVERLOAD t sqrt(t x) { return __builtin_elementwise_sqrt(x); }                 \
  OVERLOAD t copysign(t x, t y) { return __builtin_elementwise_copysign(x, y); } \
  OVERLOAD t fma(t x, t y, t z) { return __builtin_elementwise_fma(x, y, z); }
WIDTHS(BASIC, ELEMENT)

#pragma OPENCL FP_CONTRACT ON
#define MAD(t) \
  OVERLOAD t mad(t x, t y, t z) { return x * y + z; }
WIDTHS(MAD, ELEMENT)

// The quiet NaN that holds the code in its lowest places.
#define QUIET_half ((ushort)0x7e00)
#define QUIET_float 0x7fc00000u
#define QUIET_double 0x7ff8000000000000ul
#define QUIET JOIN(QUIET_, ELEMENT)
#define PLACES ((UNSIGNED)(~QUIET & ~((UNSIGNED)1 << (sizeof(ELEMENT) * CHAR_BIT - 1))))
#define NOT_A_NUMBER(t, u) \
  OVERLOAD t nan(u code) { return __builtin_astype((u)((code & PLACES) | QUIET), t); }
WIDTHS_2(NOT_A_NUMBER, ELEMENT, UNSIGNED)
