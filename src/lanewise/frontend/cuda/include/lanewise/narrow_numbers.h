// SPDX-License-Identifier: Apache-2.0
// What conversions of the 16-bit types are made of: numbers to floats, rounded toward zero, and floats to integers, in
// a mode of PTX. Device code has an instruction for each; host code computes the same here.
#ifndef LANEWISE_NARROW_NUMBERS_H
#define LANEWISE_NARROW_NUMBERS_H

#include "cuda_runtime.h"

#ifdef __CUDA_ARCH__
#define __LW_NUMBER(name) __nvvm_##name
#else
#define __LW_NUMBER(name) __lw_##name

__LW_HOST_DEVICE__ float __lw_shortened(float nearest, bool beyond) {
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, nearest) - beyond);
}
__LW_HOST_DEVICE__ float __lw_d2f_rz(double x) {
  float nearest = static_cast<float>(x);
  return __lw_shortened(nearest, __builtin_fabs(nearest) > __builtin_fabs(x));
}
__LW_HOST_DEVICE__ float __lw_ll2f_rz(long long x) {
  float nearest = static_cast<float>(x);
  __int128 shown = static_cast<__int128>(nearest);
  return __lw_shortened(nearest, x > 0 ? shown > x : shown < x);
}
__LW_HOST_DEVICE__ float __lw_ull2f_rz(unsigned long long x) {
  float nearest = static_cast<float>(x);
  return __lw_shortened(nearest, static_cast<unsigned __int128>(nearest) > x);
}

// The greatest integer rounds to the first float beyond it. GPUs give the highest bit for 64 bits of what is no number.
template <class Integer> __LW_HOST_DEVICE__ Integer __lw_saturated(float x, Integer least, Integer greatest) {
  if (__builtin_isnan(x))
    return sizeof(Integer) == 8 ? static_cast<Integer>(1ull << 63) : 0;
  if (x >= static_cast<float>(greatest))
    return greatest;
  return x <= static_cast<float>(least) ? least : static_cast<Integer>(x);
}
#define __LW_TO_INTEGERS(mode, rounded)                                                                          \
  __LW_HOST_DEVICE__ int __lw_f2i_##mode(float x) {                                                              \
    return __lw_saturated(rounded(x), -__INT_MAX__ - 1, __INT_MAX__);                                            \
  }                                                                                                              \
  __LW_HOST_DEVICE__ unsigned int __lw_f2ui_##mode(float x) { return __lw_saturated(rounded(x), 0u, ~0u); }      \
  __LW_HOST_DEVICE__ long long __lw_f2ll_##mode(float x) {                                                       \
    return __lw_saturated(rounded(x), -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__);                                \
  }                                                                                                              \
  __LW_HOST_DEVICE__ unsigned long long __lw_f2ull_##mode(float x) { return __lw_saturated(rounded(x), 0ull, ~0ull); }
__LW_TO_INTEGERS(rn, __builtin_rintf)
__LW_TO_INTEGERS(rz, __builtin_truncf)
__LW_TO_INTEGERS(rp, __builtin_ceilf)
__LW_TO_INTEGERS(rm, __builtin_floorf)
#undef __LW_TO_INTEGERS
#endif

#endif
