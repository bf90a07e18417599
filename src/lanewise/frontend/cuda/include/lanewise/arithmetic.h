// SPDX-License-Identifier: Apache-2.0
// Arithmetic with a stated rounding, never contracted into fused operations: __fadd_rn, __dmul_rz, ... (CUDA Math API,
// single and double precision intrinsics). rn: to nearest, ties to even; rz: towards zero; ru: up; rd: down.
#ifndef LANEWISE_ARITHMETIC_H
#define LANEWISE_ARITHMETIC_H

#include "lanewise/conversions.h"

// name: __fadd_rn; kind: f or d, as clang's builtins end; mode: how PTX calls the rounding of the suffix.
#define __LW_ROUNDED(type, letter, kind, fma, suffix, mode)                                                      \
  __LW_DEVICE__ type __##letter##add_##suffix(type x, type y) { return __nvvm_add_##mode##_##kind(x, y); }       \
  __LW_DEVICE__ type __##letter##sub_##suffix(type x, type y) { return __nvvm_add_##mode##_##kind(x, -y); }      \
  __LW_DEVICE__ type __##letter##mul_##suffix(type x, type y) { return __nvvm_mul_##mode##_##kind(x, y); }       \
  __LW_DEVICE__ type __##letter##div_##suffix(type x, type y) { return __nvvm_div_##mode##_##kind(x, y); }       \
  __LW_DEVICE__ type __##letter##rcp_##suffix(type x) { return __nvvm_rcp_##mode##_##kind(x); }                  \
  __LW_DEVICE__ type __##letter##sqrt_##suffix(type x) { return __nvvm_sqrt_##mode##_##kind(x); }                \
  __LW_DEVICE__ type fma##_##suffix(type x, type y, type z) { return __nvvm_fma_##mode##_##kind(x, y, z); }

#define __LW_DIRECTED(type, letter, kind, fma)                                                                   \
  __LW_ROUNDED(type, letter, kind, fma, rz, rz)                                                                  \
  __LW_ROUNDED(type, letter, kind, fma, ru, rp)                                                                  \
  __LW_ROUNDED(type, letter, kind, fma, rd, rm)

__LW_DIRECTED(float, f, f, __fmaf)
__LW_DIRECTED(double, d, d, __fma)
#undef __LW_DIRECTED
#undef __LW_ROUNDED

// To nearest, as plain operations, which every stage knows.
#define __LW_TO_NEAREST(type, letter)                                                                            \
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
  __LW_DEVICE__ type __##letter##sqrt_rn(type x) { return sqrt(x); }

__LW_TO_NEAREST(float, f)
__LW_TO_NEAREST(double, d)
#undef __LW_TO_NEAREST

__LW_DEVICE__ float __fmaf_rn(float x, float y, float z) { return fma(x, y, z); }
__LW_DEVICE__ double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
// Right to the last bit for every float: the two roundings in double never meet a tie of float.
__LW_DEVICE__ float __frsqrt_rn(float x) { return static_cast<float>(1 / sqrt(static_cast<double>(x))); }
__LW_DEVICE__ float __fmaf_ieee_rn(float x, float y, float z) { return __fmaf_rn(x, y, z); }
__LW_DEVICE__ float __fmaf_ieee_rz(float x, float y, float z) { return __fmaf_rz(x, y, z); }
__LW_DEVICE__ float __fmaf_ieee_ru(float x, float y, float z) { return __fmaf_ru(x, y, z); }
__LW_DEVICE__ float __fmaf_ieee_rd(float x, float y, float z) { return __fmaf_rd(x, y, z); }

#endif
