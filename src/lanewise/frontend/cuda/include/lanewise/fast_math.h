// SPDX-License-Identifier: Apache-2.0
// CUDA's fast intrinsics, as the plain functions: at least as accurate as NVIDIA's, on every target.
#ifndef LANEWISE_FAST_MATH_H
#define LANEWISE_FAST_MATH_H

#include "lanewise/math_overloads.h"

__LW_DEVICE__ float __sinf(float x) { return sinf(x); }
__LW_DEVICE__ float __cosf(float x) { return cosf(x); }
__LW_DEVICE__ float __tanf(float x) { return tanf(x); }
__LW_DEVICE__ float __expf(float x) { return expf(x); }
__LW_DEVICE__ float __exp10f(float x) { return exp10f(x); }
__LW_DEVICE__ float __logf(float x) { return logf(x); }
__LW_DEVICE__ float __log2f(float x) { return log2f(x); }
__LW_DEVICE__ float __log10f(float x) { return log10f(x); }
__LW_DEVICE__ float __powf(float x, float y) { return powf(x, y); }
__LW_DEVICE__ float __tanhf(float x) { return tanhf(x); }
__LW_DEVICE__ float __fdividef(float x, float y) { return x / y; }
__LW_DEVICE__ double __fdivide(double x, double y) { return x / y; }
__LW_DEVICE__ void __sincosf(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }

// Clamped to [0, 1]; NaN becomes 0.
__LW_DEVICE__ float __saturatef(float x) { return fminf(fmaxf(x, 0.f), 1.f); }
__LW_DEVICE__ float saturate(float x) { return __saturatef(x); }

#endif
