// SPDX-License-Identifier: Apache-2.0
// The 16-bit floating-point types and their pairs: __half and __half2, __nv_bfloat16 and __nv_bfloat162.
#ifndef LANEWISE_NARROW_TYPES_H
#define LANEWISE_NARROW_TYPES_H

#include "lanewise/narrow_numbers.h"

// A float between x and 0, with a last digit of 1 where x has more digits: rounded to odd, it can be rounded again to
// any format of at most 22 digits as if that were the first time.
__LW_HOST_DEVICE__ float __lw_odd(float shortened, bool inexact) {
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, shortened) | inexact);
}
__LW_HOST_DEVICE__ float __lw_odd_float(double x) {
  float shortened = __LW_NUMBER(d2f_rz)(x);
  return __lw_odd(shortened, shortened < x || shortened > x);
}
__LW_HOST_DEVICE__ float __lw_odd_float(long long x) {
  float shortened = __LW_NUMBER(ll2f_rz)(x);
  return __lw_odd(shortened, static_cast<long long>(shortened) != x);
}
__LW_HOST_DEVICE__ float __lw_odd_float(unsigned long long x) {
  float shortened = __LW_NUMBER(ull2f_rz)(x);
  return __lw_odd(shortened, static_cast<unsigned long long>(shortened) != x);
}
__LW_HOST_DEVICE__ float __lw_odd_float(float x) { return x; }
__LW_HOST_DEVICE__ float __lw_odd_float(int x) { return __lw_odd_float(static_cast<long long>(x)); }
__LW_HOST_DEVICE__ float __lw_odd_float(unsigned int x) { return __lw_odd_float(static_cast<long long>(x)); }
__LW_HOST_DEVICE__ float __lw_odd_float(long x) { return __lw_odd_float(static_cast<long long>(x)); }
__LW_HOST_DEVICE__ float __lw_odd_float(unsigned long x) {
  return __lw_odd_float(static_cast<unsigned long long>(x));
}

// A number from 16 bits; a conversion to an integer takes the integer part, and saturates.
#define __LW_FROM(scalar, type)                                                                                  \
  __host__ __device__ __attribute__((nodebug)) scalar(type x) : __x(scalar::__from(x)) {}
#define __LW_TO(type, suffix)                                                                                    \
  __host__ __device__ __attribute__((nodebug)) operator type() const { return __lw_to_##suffix(__x); }
#define __LW_INTEGERS_FROM(scalar)                                                                               \
  __LW_FROM(scalar, short)                                                                                       \
  __LW_FROM(scalar, unsigned short)                                                                              \
  __LW_FROM(scalar, int)                                                                                         \
  __LW_FROM(scalar, unsigned int)                                                                                \
  __LW_FROM(scalar, long)                                                                                        \
  __LW_FROM(scalar, unsigned long)                                                                               \
  __LW_FROM(scalar, long long)                                                                                   \
  __LW_FROM(scalar, unsigned long long)
#define __LW_INTEGERS_TO                                                                                         \
  __LW_TO(char, char) __LW_TO(signed char, char) __LW_TO(unsigned char, uchar) __LW_TO(short, short)             \
  __LW_TO(unsigned short, ushort) __LW_TO(int, int) __LW_TO(unsigned int, uint) __LW_TO(long, ll)                \
  __LW_TO(unsigned long, ull) __LW_TO(long long, ll) __LW_TO(unsigned long long, ull)

template <class Integer> __LW_HOST_DEVICE__ Integer __lw_clamped(int x, int least, int greatest) {
  return static_cast<Integer>(x < least ? least : x > greatest ? greatest : x);
}
__LW_HOST_DEVICE__ signed char __lw_to_char(float x) {
  return __lw_clamped<signed char>(__LW_NUMBER(f2i_rz)(x), -128, 127);
}
__LW_HOST_DEVICE__ unsigned char __lw_to_uchar(float x) {
  return __lw_clamped<unsigned char>(__LW_NUMBER(f2i_rz)(x), 0, 255);
}
__LW_HOST_DEVICE__ short __lw_to_short(float x) { return __lw_clamped<short>(__LW_NUMBER(f2i_rz)(x), -32768, 32767); }
__LW_HOST_DEVICE__ unsigned short __lw_to_ushort(float x) {
  return __lw_clamped<unsigned short>(__LW_NUMBER(f2i_rz)(x), 0, 65535);
}
__LW_HOST_DEVICE__ int __lw_to_int(float x) { return __LW_NUMBER(f2i_rz)(x); }
__LW_HOST_DEVICE__ unsigned int __lw_to_uint(float x) { return __LW_NUMBER(f2ui_rz)(x); }
__LW_HOST_DEVICE__ long long __lw_to_ll(float x) { return __LW_NUMBER(f2ll_rz)(x); }
__LW_HOST_DEVICE__ unsigned long long __lw_to_ull(float x) { return __LW_NUMBER(f2ull_rz)(x); }

// native: clang's type; parts: two of them. The members are called as NVIDIA calls them.
#define __LW_NARROW_TYPES(scalar, scalar_raw, pair, pair_raw, native, parts, other, conversions)                 \
  struct other;                                                                                                  \
  typedef native parts __attribute__((ext_vector_type(2)));                                                      \
  struct __align__(2) scalar_raw {                                                                               \
    unsigned short x;                                                                                            \
  };                                                                                                             \
  struct __align__(4) pair_raw {                                                                                 \
    unsigned short x, y;                                                                                         \
  };                                                                                                             \
  struct __align__(2) scalar {                                                                                   \
    native __x;                                                                                                  \
    scalar() = default;                                                                                          \
    __host__ __device__ __attribute__((nodebug)) scalar(native x) : __x(x) {}                                    \
    __host__ __device__ __attribute__((nodebug)) constexpr scalar(scalar_raw raw)                                \
        : __x(__builtin_bit_cast(native, raw.x)) {}                                                              \
    __host__ __device__ __attribute__((nodebug)) operator scalar_raw() const {                                   \
      return scalar_raw{__builtin_bit_cast(unsigned short, __x)};                                                \
    }                                                                                                            \
    __host__ __device__ __attribute__((nodebug)) operator scalar_raw() const volatile {                          \
      return scalar_raw{__builtin_bit_cast(unsigned short, native(__x))};                                        \
    }                                                                                                            \
    __host__ __device__ __attribute__((nodebug)) scalar &operator=(scalar_raw raw) {                             \
      __x = __builtin_bit_cast(native, raw.x);                                                                   \
      return *this;                                                                                              \
    }                                                                                                            \
    template <class Other, typename __lw_enable_if<__is_same(Other, other), int>::type = 0>                          \
    __host__ __device__ __attribute__((nodebug)) explicit scalar(Other x)                                        \
        : __x(static_cast<native>(static_cast<float>(x.__x))) {}                                                 \
    template <class Number> __LW_HOST_DEVICE__ native __from(Number x) {                                         \
      return static_cast<native>(__lw_odd_float(x));                                                             \
    }                                                                                                            \
    conversions                                                                                                  \
  };                                                                                                             \
  struct __align__(4) pair {                                                                                     \
    scalar x, y;                                                                                                 \
    pair() = default;                                                                                            \
    __host__ __device__ __attribute__((nodebug)) constexpr pair(scalar a, scalar b) : x(a), y(b) {}              \
    __host__ __device__ __attribute__((nodebug)) constexpr pair(pair_raw raw)                                    \
        : x(scalar_raw{raw.x}), y(scalar_raw{raw.y}) {}                                                          \
    __host__ __device__ __attribute__((nodebug)) operator pair_raw() const {                                     \
      return __builtin_bit_cast(pair_raw, *this);                                                                \
    }                                                                                                            \
  };

#define __LW_NARROW_CONVERSIONS(scalar)                                                                          \
  __LW_FROM(scalar, float)                                                                                       \
  __LW_FROM(scalar, double)                                                                                      \
  __LW_INTEGERS_FROM(scalar)                                                                                     \
  __host__ __device__ __attribute__((nodebug)) operator float() const { return __x; }                            \
  __host__ __device__ __attribute__((nodebug)) operator bool() const { return static_cast<float>(__x) != 0; }    \
  __LW_INTEGERS_TO

#endif
