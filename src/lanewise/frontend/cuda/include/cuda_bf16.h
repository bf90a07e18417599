// SPDX-License-Identifier: Apache-2.0
// bfloat16, the upper half of a float, as __nv_bfloat16, and pairs of it.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include <stdint.h>

#include "lanewise/narrow_conversions.h"
#include "lanewise/narrow_math.h"

#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __LW_CONVERSIONS
#else
#define __LW_CONVERSIONS __LW_NARROW_CONVERSIONS(__nv_bfloat16)
#endif
__LW_NARROW_TYPES(__nv_bfloat16, __nv_bfloat16_raw, __nv_bfloat162, __nv_bfloat162_raw, __bf16, __lw_bfloats,
                  __half, __LW_CONVERSIONS)
#undef __LW_CONVERSIONS

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define __LW_SCALAR_bfloat __nv_bfloat16
#define __LW_PAIR_bfloat __nv_bfloat162
#define __LW_NATIVE_bfloat __bf16
#define __LW_PARTS_bfloat __lw_bfloats
#define __LW_ONES_bfloat 0x3f803f80u

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__LW_HOST_DEVICE__ __bf16 __lw_fused(__bf16 x, __bf16 y, __bf16 z) { return __builtin_elementwise_fma(x, y, z); }
#else
// Without an instruction: the product is exact in double, the sum is rounded to odd there, and once more to bfloat16.
__LW_HOST_DEVICE__ __bf16 __lw_fused(__bf16 x, __bf16 y, __bf16 z) {
  double product = static_cast<double>(x) * static_cast<double>(y);
  double sum = __nvvm_add_rz_d(product, z), up = __nvvm_add_rp_d(product, z), down = __nvvm_add_rm_d(product, z);
  long long bits = __builtin_bit_cast(long long, sum) | (up > down);
  if (sum == 0)
    return static_cast<__bf16>(static_cast<float>(up == down ? product + z : sum));
  return static_cast<__bf16>(__lw_odd_float(__builtin_bit_cast(double, bits)));
}
#endif
__LW_HOST_DEVICE__ __lw_bfloats __lw_fused(__lw_bfloats x, __lw_bfloats y, __lw_bfloats z) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __builtin_elementwise_fma(x, y, z);
#else
  return __lw_bfloats{__lw_fused(x.x, y.x, z.x), __lw_fused(x.y, y.y, z.y)};
#endif
}

__LW_NARROW_CONVERSION_FUNCTIONS(bfloat16, bfloat162, __nv_bfloat16, __nv_bfloat162, __bf16, __lw_bfloats)
__LW_NARROW_ARITHMETIC(bfloat)
__LW_NARROW_COMPARISONS(bfloat)
__LW_NARROW_MATH(bfloat)
__LW_NARROW_SHUFFLES(__nv_bfloat16, unsigned short)
__LW_NARROW_SHUFFLES(__nv_bfloat162, unsigned int)

__LW_DEVICE__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value) {
  unsigned short *memory = reinterpret_cast<unsigned short *>(address), seen = *memory, expected;
  do {
    expected = seen;
    seen = atomicCAS(memory, expected, __bfloat16_as_ushort(__hadd(__ushort_as_bfloat16(expected), value)));
  } while (seen != expected);
  return __ushort_as_bfloat16(seen);
}
__LW_NARROW_ATOMIC_PAIR(__nv_bfloat162)

#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
__LW_NARROW_OPERATORS(__nv_bfloat16, , __hdiv, __nv_bfloat16(__bf16(1.f)))
__LW_NARROW_RELATIONS(__nv_bfloat16, , )
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
__LW_NARROW_OPERATORS(__nv_bfloat162, 2, __h2div, __float2bfloat162_rn(1.f))
__LW_NARROW_RELATIONS(__nv_bfloat162, b, 2)
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#endif
