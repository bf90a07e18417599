// SPDX-License-Identifier: Apache-2.0
// Arithmetic with a stated rounding, never contracted into fused operations: __fadd_rn, __dmul_rz, ... The directed
// roundings are computed from the result to nearest and the sign of its error, which fma and the two-sum give exactly
// wherever nothing over- or underflows.
#ifndef LANEWISE_ARITHMETIC_H
#define LANEWISE_ARITHMETIC_H

#include "lanewise/conversions.h"

template <class Float> __LW_DEVICE__ int __lw_sign(Float x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Knuth's two-sum: the exact error of a + b to nearest.
template <class Float> __LW_DEVICE__ int __lw_error_of_sum(Float a, Float b, Float sum) {
#pragma clang fp contract(off)
  Float b_part = sum - a;
  Float a_part = sum - b_part;
  return __lw_sign((a - a_part) + (b - b_part));
}

#define __LW_DIRECTED(type, name, parameters, nearest, error)                                                    \
  __LW_DEVICE__ type name##_rz parameters {                                                                      \
    type result = nearest;                                                                                       \
    return __lw_rounded_to_zero(result, error);                                                                  \
  }                                                                                                              \
  __LW_DEVICE__ type name##_ru parameters {                                                                      \
    type result = nearest;                                                                                       \
    return __lw_rounded_up(result, error);                                                                       \
  }                                                                                                              \
  __LW_DEVICE__ type name##_rd parameters {                                                                      \
    type result = nearest;                                                                                       \
    return __lw_rounded_down(result, error);                                                                     \
  }

#define __LW_ARITHMETIC(type, letter, remainder)                                                                 \
  __LW_DEVICE__ type __##letter##add_rn(type x, type y) {                                                        \
    _Pragma("clang fp contract(off)") return x + y;                                                              \
  }                                                                                                              \
  __LW_DEVICE__ type __##letter##sub_rn(type x, type y) {                                                        \
    _Pragma("clang fp contract(off)") return x - y;                                                              \
  }                                                                                                              \
  __LW_DEVICE__ type __##letter##mul_rn(type x, type y) {                                                        \
    _Pragma("clang fp contract(off)") return x * y;                                                              \
  }                                                                                                              \
  __LW_DEVICE__ type __##letter##div_rn(type x, type y) { return x / y; }                                        \
  __LW_DEVICE__ type __##letter##rcp_rn(type x) { return type(1) / x; }                                          \
  __LW_DEVICE__ type __##letter##sqrt_rn(type x) { return sqrt(x); }                                             \
  __LW_DIRECTED(type, __##letter##add, (type x, type y), __##letter##add_rn(x, y),                               \
                __lw_error_of_sum(x, y, result))                                                                 \
  __LW_DIRECTED(type, __##letter##sub, (type x, type y), __##letter##sub_rn(x, y),                               \
                __lw_error_of_sum(x, -y, result))                                                                \
  __LW_DIRECTED(type, __##letter##mul, (type x, type y), __##letter##mul_rn(x, y),                               \
                __lw_sign(fma(x, y, -result)))                                                                   \
  __LW_DIRECTED(type, __##letter##div, (type x, type y), x / y,                                                  \
                __lw_sign(fma(-result, y, x)) * __lw_sign(y))                                                    \
  __LW_DIRECTED(type, __##letter##rcp, (type x), type(1) / x,                                                    \
                __lw_sign(fma(-result, x, type(1))) * __lw_sign(x))                                              \
  __LW_DIRECTED(type, __##letter##sqrt, (type x), sqrt(x), __lw_sign(fma(-result, result, x)))

__LW_ARITHMETIC(float, f, )
__LW_ARITHMETIC(double, d, )
#undef __LW_ARITHMETIC
#undef __LW_DIRECTED

__LW_DEVICE__ float __fmaf_rn(float x, float y, float z) { return fma(x, y, z); }
__LW_DEVICE__ double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
__LW_DEVICE__ float __frsqrt_rn(float x) { return static_cast<float>(1 / sqrt(static_cast<double>(x))); }

#endif
