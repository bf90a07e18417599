// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 bits, __nv_fp8_e4m3 and __nv_fp8_e5m2, in twos and fours, too (CUDA Math API, "FP8 Intrinsics"). They are
// kept and converted; arithmetic is done in the types that they convert to.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "lanewise/eight_bit_numbers.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

// ---- Functions ---------------------------------------------------------------------------------------------------

#define __LW_TO_FP8(name, pair_name, type, pair, number, first, second)                                          \
  __LW_HOST_DEVICE__ __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(type x, __nv_saturation_t saturate,             \
                                                                 __nv_fp8_interpretation_t kind) {               \
    return __lw_to_eight_bits(number(x), kind == __NV_E4M3 ? __lw_e4m3 : __lw_e5m2, saturate == __NV_SATFINITE); \
  }                                                                                                              \
  __LW_HOST_DEVICE__ __nv_fp8x2_storage_t __nv_cvt_##pair_name##_to_fp8x2(pair x, __nv_saturation_t saturate,    \
                                                                          __nv_fp8_interpretation_t kind) {      \
    return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_##name##_to_fp8(second, saturate, kind) << 8 |             \
                                             __nv_cvt_##name##_to_fp8(first, saturate, kind));                   \
  }
#define __LW_HALF_NUMBER(x) static_cast<float>(__builtin_bit_cast(_Float16, (x).x))
#define __LW_BFLOAT_NUMBER(x) __builtin_bit_cast(float, static_cast<unsigned int>((x).x) << 16)
__LW_TO_FP8(double, double2, double, double2, , x.x, x.y)
__LW_TO_FP8(float, float2, float, float2, , x.x, x.y)
__LW_TO_FP8(halfraw, halfraw2, __half_raw, __half2_raw, __LW_HALF_NUMBER, __half_raw{x.x}, __half_raw{x.y})
__LW_TO_FP8(bfloat16raw, bfloat16raw2, __nv_bfloat16_raw, __nv_bfloat162_raw, __LW_BFLOAT_NUMBER,
            __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef __LW_TO_FP8
#undef __LW_HALF_NUMBER
#undef __LW_BFLOAT_NUMBER

__LW_HOST_DEVICE__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half_raw{kind == __NV_E4M3 ? __lw_half_of_e4m3(x) : __lw_half_of_e5m2(x)};
}
__LW_HOST_DEVICE__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), kind).x,
                     __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), kind).x};
}

// ---- Types -------------------------------------------------------------------------------------------------------

#define __LW_MEMBER __host__ __device__ __attribute__((nodebug))
#define __LW_FP8_FROM(name, type, conversion, value)                                                             \
  __LW_MEMBER explicit name(type x) : __x(__nv_cvt_##conversion(value, __NV_SATFINITE, __kind)) {}
#define __LW_FP8_AS(type, value)                                                                                 \
  __LW_MEMBER explicit operator type() const { return value(static_cast<float>(*this)); }
#define __LW_FP8_INTEGER(name, type, suffix)                                                                     \
  __LW_FP8_FROM(name, type, double_to_fp8, static_cast<double>(x))                                               \
  __LW_FP8_AS(type, __lw_to_##suffix)

#define __LW_FP8_TYPES(one, two, four, kind)                                                                     \
  struct one {                                                                                                   \
    static constexpr __nv_fp8_interpretation_t __default_interpret = kind, __kind = kind;                        \
    static constexpr __nv_saturation_t __default_saturation = __NV_SATFINITE;                                    \
    __nv_fp8_storage_t __x;                                                                                      \
    one() = default;                                                                                             \
    __LW_FP8_FROM(one, __half, halfraw_to_fp8, static_cast<__half_raw>(x))                                       \
    __LW_FP8_FROM(one, __nv_bfloat16, bfloat16raw_to_fp8, static_cast<__nv_bfloat16_raw>(x))                     \
    __LW_FP8_FROM(one, float, float_to_fp8, x)                                                                   \
    __LW_FP8_FROM(one, double, double_to_fp8, x)                                                                 \
    __LW_MEMBER explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, __kind)); }        \
    __LW_MEMBER explicit operator float() const {                                                                \
      return static_cast<float>(__builtin_bit_cast(_Float16, __nv_cvt_fp8_to_halfraw(__x, __kind).x));           \
    }                                                                                                            \
    __LW_FP8_AS(__nv_bfloat16, __float2bfloat16_rn)                                                              \
    __LW_FP8_AS(double, )                                                                                        \
    __LW_FP8_INTEGER(one, short, short)                                                                          \
    __LW_FP8_INTEGER(one, unsigned short, ushort)                                                                \
    __LW_FP8_INTEGER(one, int, int)                                                                              \
    __LW_FP8_INTEGER(one, unsigned int, uint)                                                                    \
    __LW_FP8_INTEGER(one, long, ll)                                                                              \
    __LW_FP8_INTEGER(one, unsigned long, ull)                                                                    \
    __LW_FP8_INTEGER(one, long long, ll)                                                                         \
    __LW_FP8_INTEGER(one, unsigned long long, ull)                                                               \
    __LW_FP8_AS(char, __lw_to_char)                                                                              \
    __LW_FP8_AS(signed char, __lw_to_char)                                                                       \
    __LW_FP8_AS(unsigned char, __lw_to_uchar)                                                                    \
    __LW_MEMBER explicit operator bool() const { return (__x & 0x7f) != 0; }                                     \
  };                                                                                                             \
  struct __align__(2) two {                                                                                      \
    static constexpr __nv_fp8_interpretation_t __kind = kind;                                                    \
    __nv_fp8x2_storage_t __x;                                                                                    \
    two() = default;                                                                                             \
    __LW_FP8_FROM(two, __half2, halfraw2_to_fp8x2, static_cast<__half2_raw>(x))                                  \
    __LW_FP8_FROM(two, __nv_bfloat162, bfloat16raw2_to_fp8x2, static_cast<__nv_bfloat162_raw>(x))                \
    __LW_FP8_FROM(two, float2, float2_to_fp8x2, x)                                                               \
    __LW_FP8_FROM(two, double2, double2_to_fp8x2, x)                                                             \
    __LW_MEMBER explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, __kind)); }   \
    __LW_MEMBER explicit operator float2() const {                                                               \
      __half2 both(*this);                                                                                       \
      return float2{static_cast<float>(both.x.__x), static_cast<float>(both.y.__x)};                             \
    }                                                                                                            \
  };                                                                                                             \
  struct __align__(4) four {                                                                                     \
    __nv_fp8x4_storage_t __x;                                                                                    \
    four() = default;                                                                                            \
    __LW_MEMBER explicit four(two low, two high)                                                                 \
        : __x(low.__x | static_cast<unsigned int>(high.__x) << 16) {}                                            \
    __LW_MEMBER explicit four(__half2 low, __half2 high) : four(two(low), two(high)) {}                          \
    __LW_MEMBER explicit four(__nv_bfloat162 low, __nv_bfloat162 high) : four(two(low), two(high)) {}            \
    __LW_MEMBER explicit four(float4 x) : four(two(float2{x.x, x.y}), two(float2{x.z, x.w})) {}                  \
    __LW_MEMBER explicit four(double4 x) : four(two(double2{x.x, x.y}), two(double2{x.z, x.w})) {}               \
    __LW_MEMBER explicit operator float4() const {                                                               \
      two low, high;                                                                                             \
      low.__x = static_cast<__nv_fp8x2_storage_t>(__x);                                                          \
      high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                                   \
      float2 first(low), second(high);                                                                           \
      return float4{first.x, first.y, second.x, second.y};                                                       \
    }                                                                                                            \
  };

__LW_FP8_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
__LW_FP8_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
#undef __LW_FP8_TYPES
#undef __LW_FP8_INTEGER
#undef __LW_FP8_AS
#undef __LW_FP8_FROM
#undef __LW_MEMBER

#endif
