// SPDX-License-Identifier: Apache-2.0
// min and max over all arithmetic types, in the global namespace and on both sides, as CUDA has them.
#ifndef LANEWISE_MATH_MIN_MAX_H
#define LANEWISE_MATH_MIN_MAX_H

#include "lanewise/qualifiers.h"

#define __LW_MIN_MAX(left, right, result)                                                                        \
  __LW_HOST_DEVICE__ result min(left a, right b) {                                                               \
    return static_cast<result>(b) < static_cast<result>(a) ? static_cast<result>(b) : static_cast<result>(a);    \
  }                                                                                                              \
  __LW_HOST_DEVICE__ result max(left a, right b) {                                                               \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b) : static_cast<result>(a);    \
  }
#define __LW_MIN_MAX_FLOAT(left, right, result, suffix)                                                          \
  __LW_HOST_DEVICE__ result min(left a, right b) { return __builtin_fmin##suffix(a, b); }                        \
  __LW_HOST_DEVICE__ result max(left a, right b) { return __builtin_fmax##suffix(a, b); }

__LW_MIN_MAX(int, int, int)
__LW_MIN_MAX(unsigned int, unsigned int, unsigned int)
__LW_MIN_MAX(int, unsigned int, unsigned int)
__LW_MIN_MAX(unsigned int, int, unsigned int)
__LW_MIN_MAX(long, long, long)
__LW_MIN_MAX(unsigned long, unsigned long, unsigned long)
__LW_MIN_MAX(long, unsigned long, unsigned long)
__LW_MIN_MAX(unsigned long, long, unsigned long)
__LW_MIN_MAX(long long, long long, long long)
__LW_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
__LW_MIN_MAX(long long, unsigned long long, unsigned long long)
__LW_MIN_MAX(unsigned long long, long long, unsigned long long)
__LW_MIN_MAX_FLOAT(float, float, float, f)
__LW_MIN_MAX_FLOAT(double, double, double, )
__LW_MIN_MAX_FLOAT(float, double, double, )
__LW_MIN_MAX_FLOAT(double, float, double, )
#undef __LW_MIN_MAX
#undef __LW_MIN_MAX_FLOAT

__LW_HOST_DEVICE__ unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
__LW_HOST_DEVICE__ unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
__LW_HOST_DEVICE__ long long llmin(long long a, long long b) { return min(a, b); }
__LW_HOST_DEVICE__ long long llmax(long long a, long long b) { return max(a, b); }
__LW_HOST_DEVICE__ unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
__LW_HOST_DEVICE__ unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

#endif
