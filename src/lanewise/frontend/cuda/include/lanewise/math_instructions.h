// SPDX-License-Identifier: Apache-2.0
// Mathematical functions that every target has an instruction or a short sequence for: they become llvm.* intrinsics
// or plain arithmetic, never calls.
#ifndef LANEWISE_MATH_INSTRUCTIONS_H
#define LANEWISE_MATH_INSTRUCTIONS_H

#include "lanewise/qualifiers.h"

// body(type, name, libm suffix of the builtin): the double function, the float function by C's name and by C++'s.
#define __LW_THREE_NAMES(body, name)                                                                             \
  body(double, name, name)                                                                                       \
  body(float, name##f, name##f)                                                                                  \
  body(float, name, name##f)

#define __LW_UNARY(type, name, builtin)                                                                          \
  __LW_DEVICE__ type name(type x) { return __builtin_##builtin(x); }
#define __LW_BINARY(type, name, builtin)                                                                         \
  __LW_DEVICE__ type name(type x, type y) { return __builtin_##builtin(x, y); }

__LW_THREE_NAMES(__LW_UNARY, fabs)
__LW_THREE_NAMES(__LW_UNARY, floor)
__LW_THREE_NAMES(__LW_UNARY, ceil)
__LW_THREE_NAMES(__LW_UNARY, trunc)
__LW_THREE_NAMES(__LW_UNARY, rint)
__LW_THREE_NAMES(__LW_UNARY, nearbyint)
__LW_THREE_NAMES(__LW_UNARY, round)
__LW_THREE_NAMES(__LW_UNARY, sqrt)
__LW_THREE_NAMES(__LW_BINARY, copysign)
__LW_THREE_NAMES(__LW_BINARY, fmin)
__LW_THREE_NAMES(__LW_BINARY, fmax)

#undef __LW_UNARY
#undef __LW_BINARY

#define __LW_FMA(type, name, builtin)                                                                            \
  __LW_DEVICE__ type name(type x, type y, type z) { return __builtin_##builtin(x, y, z); }
#define __LW_FDIM(type, name, builtin)                                                                           \
  __LW_DEVICE__ type name(type x, type y) { return x <= y ? type(0) : x - y; }
#define __LW_MODF(type, name, builtin)                                                                           \
  __LW_DEVICE__ type name(type x, type *whole) {                                                                 \
    *whole = trunc(x);                                                                                           \
    return copysign(x == *whole ? type(0) : x - *whole, x); /* of infinities 0, of NaN NaN */                    \
  }
#define __LW_TO_LONG(type) /* as cvt.s64: what doesn't fit is clamped, NaN is the least */                       \
  __LW_DEVICE__ long __lw_to_long(type whole) {                                                                  \
    return fabs(whole) < type(0x1p63) ? static_cast<long>(whole) : whole > 0 ? __LONG_MAX__ : -__LONG_MAX__ - 1; \
  }
#define __LW_ROUND_TO_LONG(type, name, rounding) /* ties away from zero, or to even */                           \
  __LW_DEVICE__ long l##name(type x) { return __lw_to_long(rounding(x)); }                                       \
  __LW_DEVICE__ long long ll##name(type x) { return __lw_to_long(rounding(x)); }

__LW_THREE_NAMES(__LW_FMA, fma)
__LW_THREE_NAMES(__LW_FDIM, fdim)
__LW_THREE_NAMES(__LW_MODF, modf)
__LW_TO_LONG(float)
__LW_TO_LONG(double)
__LW_THREE_NAMES(__LW_ROUND_TO_LONG, rint)
__LW_THREE_NAMES(__LW_ROUND_TO_LONG, round)

#undef __LW_FMA
#undef __LW_FDIM
#undef __LW_MODF
#undef __LW_TO_LONG
#undef __LW_ROUND_TO_LONG
#undef __LW_THREE_NAMES

// Classification as comparisons and bits, so that no later stage needs more than integer and ordered comparisons.
#define __LW_CLASSIFY(type, bits, infinity)                                                                      \
  __LW_DEVICE__ bool isnan(type x) { return x != x; }                                                            \
  __LW_DEVICE__ bool isinf(type x) { return fabs(x) == infinity; }                                               \
  __LW_DEVICE__ bool isfinite(type x) { return fabs(x) < infinity; }                                             \
  __LW_DEVICE__ bool signbit(type x) { return __builtin_bit_cast(bits, x) < 0; }                                 \
  __LW_DEVICE__ int __isnan(type x) { return isnan(x); }                                                         \
  __LW_DEVICE__ int __isinf(type x) { return isinf(x); }                                                         \
  __LW_DEVICE__ int __finite(type x) { return isfinite(x); }                                                     \
  __LW_DEVICE__ int __signbit(type x) { return signbit(x); }

__LW_CLASSIFY(float, int, __builtin_inff())
__LW_CLASSIFY(double, long long, __builtin_inf())
#undef __LW_CLASSIFY

__LW_DEVICE__ int __isnanf(float x) { return isnan(x); }
__LW_DEVICE__ int __isinff(float x) { return isinf(x); }
__LW_DEVICE__ int __finitef(float x) { return isfinite(x); }
__LW_DEVICE__ int __signbitf(float x) { return signbit(x); }
__LW_DEVICE__ int __signbitd(double x) { return signbit(x); }
__LW_DEVICE__ int finite(double x) { return isfinite(x); }
__LW_DEVICE__ int finitef(float x) { return isfinite(x); }
__LW_DEVICE__ bool isnormal(float x) { return fabs(x) >= __FLT_MIN__ && isfinite(x); }
__LW_DEVICE__ bool isnormal(double x) { return fabs(x) >= __DBL_MIN__ && isfinite(x); }

__LW_DEVICE__ double nan(const char *) { return __builtin_nan(""); }
__LW_DEVICE__ float nanf(const char *) { return __builtin_nanf(""); }

#endif
