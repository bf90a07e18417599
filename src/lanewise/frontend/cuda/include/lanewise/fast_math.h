// SPDX-License-Identifier: Apache-2.0
// CUDA's fast intrinsics, by the GPU's approximate instructions as the CUDA C++ Programming Guide ("Intrinsic
// Functions") composes them. The CPU has no such instructions and takes the mathematical library's functions instead.
#ifndef LANEWISE_FAST_MATH_H
#define LANEWISE_FAST_MATH_H

#include "lanewise/math_instructions.h"

__LW_DEVICE__ float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__LW_DEVICE__ float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__LW_DEVICE__ float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
__LW_DEVICE__ float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
__LW_DEVICE__ double __fdivide(double x, double y) { return x / y; }
__LW_DEVICE__ float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__LW_DEVICE__ float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.44269504f); }
__LW_DEVICE__ float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.32192809f); }
__LW_DEVICE__ float __logf(float x) { return __log2f(x) * 0.693147181f; }
__LW_DEVICE__ float __log10f(float x) { return __log2f(x) * 0.301029996f; }
__LW_DEVICE__ float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __log2f(x)); }
__LW_DEVICE__ float __tanhf(float x) {
  if (__builtin_fabsf(x) < 0.05f) // where the exponentials would cancel
    return x - x * x * x * 0.333333333f;
  return 1.f - __fdividef(2.f, __expf(2.f * x) + 1.f);
}
__LW_DEVICE__ void __sincosf(float x, float *sine, float *cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}

// Clamped to [0, 1]; NaN becomes 0.
__LW_DEVICE__ float __saturatef(float x) { return __nvvm_saturate_f(x); }
__LW_DEVICE__ float saturate(float x) { return __saturatef(x); }

#endif
