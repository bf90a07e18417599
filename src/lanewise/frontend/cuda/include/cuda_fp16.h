// SPDX-License-Identifier: Apache-2.0
// Half precision: IEEE 754's binary16 as __half, and pairs of it.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include <stdint.h>

#include "lanewise/narrow_conversions.h"
#include "lanewise/narrow_math.h"

#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define __LW_CONVERSIONS
#else
#define __LW_CONVERSIONS __LW_NARROW_CONVERSIONS(__half)
#endif
__LW_NARROW_TYPES(__half, __half_raw, __half2, __half2_raw, _Float16, __lw_halves, __nv_bfloat16, __LW_CONVERSIONS)
#undef __LW_CONVERSIONS

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#endif

#define __LW_SCALAR_half __half
#define __LW_PAIR_half __half2
#define __LW_NATIVE_half _Float16
#define __LW_PARTS_half __lw_halves
#define __LW_ONES_half 0x3c003c00u

__LW_HOST_DEVICE__ _Float16 __lw_fused(_Float16 x, _Float16 y, _Float16 z) { return __builtin_elementwise_fma(x, y, z); }
__LW_HOST_DEVICE__ __lw_halves __lw_fused(__lw_halves x, __lw_halves y, __lw_halves z) {
  return __builtin_elementwise_fma(x, y, z);
}

__LW_NARROW_CONVERSION_FUNCTIONS(half, half2, __half, __half2, _Float16, __lw_halves)
__LW_NARROW_ARITHMETIC(half)
__LW_NARROW_COMPARISONS(half)
__LW_NARROW_MATH(half)
__LW_NARROW_SHUFFLES(__half, unsigned short)
__LW_NARROW_SHUFFLES(__half2, unsigned int)

__LW_DEVICE__ __half atomicAdd(__half *address, __half value) {
  return __scoped_atomic_fetch_add(&address->__x, value.__x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
__LW_NARROW_ATOMIC_PAIR(__half2)

#ifndef __CUDA_NO_HALF_OPERATORS__
__LW_NARROW_OPERATORS(__half, , __hdiv, __half(_Float16(1)))
__LW_NARROW_RELATIONS(__half, , )
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
__LW_NARROW_OPERATORS(__half2, 2, __h2div, __float2half2_rn(1.f))
__LW_NARROW_RELATIONS(__half2, b, 2)
#endif

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#endif
