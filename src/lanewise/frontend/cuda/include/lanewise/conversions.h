// SPDX-License-Identifier: Apache-2.0
// Type conversions with a stated rounding, and bit casts (CUDA Math API, type casting intrinsics). rn: to nearest, ties
// to even; rz: towards zero; ru: up; rd: down. Conversions to integers saturate, and turn NaN into 0 (into the lowest
// number for long long), as the hardware does.
#ifndef LANEWISE_CONVERSIONS_H
#define LANEWISE_CONVERSIONS_H

#include "lanewise/qualifiers.h"

// Bit casts.
__LW_DEVICE__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__LW_DEVICE__ unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
__LW_DEVICE__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__LW_DEVICE__ float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
__LW_DEVICE__ long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__LW_DEVICE__ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__LW_DEVICE__ int __double2hiint(double x) { return __builtin_bit_cast(unsigned long long, x) >> 32; }
__LW_DEVICE__ int __double2loint(double x) { return static_cast<int>(__builtin_bit_cast(unsigned long long, x)); }
__LW_DEVICE__ double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32 |
                                        static_cast<unsigned int>(low));
}

// from: how the name calls the source; builtin: how clang's builtin calls both types. Between each two types, in every
// rounding.
#define __LW_CONVERT(from, from_type, to, to_type, builtin)                                                      \
  __LW_DEVICE__ to_type __##from##2##to##_rn(from_type x) { return __nvvm_##builtin##_rn(x); }                   \
  __LW_DEVICE__ to_type __##from##2##to##_rz(from_type x) { return __nvvm_##builtin##_rz(x); }                   \
  __LW_DEVICE__ to_type __##from##2##to##_ru(from_type x) { return __nvvm_##builtin##_rp(x); }                   \
  __LW_DEVICE__ to_type __##from##2##to##_rd(from_type x) { return __nvvm_##builtin##_rm(x); }

__LW_CONVERT(float, float, int, int, f2i)
__LW_CONVERT(float, float, uint, unsigned int, f2ui)
__LW_CONVERT(float, float, ll, long long, f2ll)
__LW_CONVERT(float, float, ull, unsigned long long, f2ull)
__LW_CONVERT(double, double, int, int, d2i)
__LW_CONVERT(double, double, uint, unsigned int, d2ui)
__LW_CONVERT(double, double, ll, long long, d2ll)
__LW_CONVERT(double, double, ull, unsigned long long, d2ull)
__LW_CONVERT(int, int, float, float, i2f)
__LW_CONVERT(uint, unsigned int, float, float, ui2f)
__LW_CONVERT(ll, long long, float, float, ll2f)
__LW_CONVERT(ull, unsigned long long, float, float, ull2f)
__LW_CONVERT(ll, long long, double, double, ll2d)
__LW_CONVERT(ull, unsigned long long, double, double, ull2d)
__LW_CONVERT(double, double, float, float, d2f)
#undef __LW_CONVERT

__LW_DEVICE__ double __int2double_rn(int x) { return x; }
__LW_DEVICE__ double __uint2double_rn(unsigned int x) { return x; }

// CUDA's older names, without underscores.
__LW_DEVICE__ float uint2float(unsigned int x) { return __uint2float_rn(x); }
__LW_DEVICE__ unsigned int float2uint(float x) { return __float2uint_rz(x); }
__LW_DEVICE__ int float2int(float x) { return __float2int_rz(x); }
__LW_DEVICE__ float int2float(int x) { return __int2float_rn(x); }
__LW_DEVICE__ int float_as_int(float x) { return __float_as_int(x); }
__LW_DEVICE__ float int_as_float(int x) { return __int_as_float(x); }

#endif
