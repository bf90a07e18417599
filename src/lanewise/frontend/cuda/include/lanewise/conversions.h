// SPDX-License-Identifier: Apache-2.0
// Type conversions with a stated rounding, and bit casts (CUDA Math API, type casting intrinsics). rn: to nearest, ties
// to even; rz: towards zero; ru: up; rd: down. Conversions to integers saturate, and turn NaN into 0 (into the lowest
// number for long long), as the hardware does.
#ifndef LANEWISE_CONVERSIONS_H
#define LANEWISE_CONVERSIONS_H

#include "lanewise/math_overloads.h"
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

// Floating point to integer. `lowest` is the integer type's least value, `beyond` one more than its greatest, both
// exact in floating point.
template <class Integer, class Float>
__LW_DEVICE__ Integer __lw_saturate(Float whole, Float lowest, Float beyond, Integer least, Integer greatest,
                                    Integer of_nan) {
  if (whole >= beyond)
    return greatest;
  if (whole >= lowest)
    return static_cast<Integer>(whole);
  return whole < lowest ? least : of_nan;
}

#define __LW_TO_INTEGER(from, name, type, lowest, beyond, least, greatest, of_nan)                               \
  __LW_DEVICE__ type __##name##_rn(from x) {                                                                     \
    return __lw_saturate<type, from>(rint(x), lowest, beyond, least, greatest, of_nan);                          \
  }                                                                                                              \
  __LW_DEVICE__ type __##name##_rz(from x) {                                                                     \
    return __lw_saturate<type, from>(trunc(x), lowest, beyond, least, greatest, of_nan);                         \
  }                                                                                                              \
  __LW_DEVICE__ type __##name##_ru(from x) {                                                                     \
    return __lw_saturate<type, from>(ceil(x), lowest, beyond, least, greatest, of_nan);                          \
  }                                                                                                              \
  __LW_DEVICE__ type __##name##_rd(from x) {                                                                     \
    return __lw_saturate<type, from>(floor(x), lowest, beyond, least, greatest, of_nan);                         \
  }

#define __LW_TO_INTEGERS(from)                                                                                   \
  __LW_TO_INTEGER(from, from##2int, int, -0x1p31f, 0x1p31f, -0x7fffffff - 1, 0x7fffffff, 0)                      \
  __LW_TO_INTEGER(from, from##2uint, unsigned int, 0.f, 0x1p32f, 0u, 0xffffffffu, 0u)                            \
  __LW_TO_INTEGER(from, from##2ll, long long, -0x1p63f, 0x1p63f, -0x7fffffffffffffffll - 1,                      \
                  0x7fffffffffffffffll, -0x7fffffffffffffffll - 1)                                               \
  __LW_TO_INTEGER(from, from##2ull, unsigned long long, 0.f, 0x1p64f, 0ull, 0xffffffffffffffffull,               \
                  0x8000000000000000ull)

__LW_TO_INTEGERS(float)
__LW_TO_INTEGERS(double)
#undef __LW_TO_INTEGER
#undef __LW_TO_INTEGERS

// The neighbours of a finite number.
__LW_DEVICE__ float __lw_next_up(float x) {
  int bits = __float_as_int(x);
  return x == 0 ? __FLT_DENORM_MIN__ : __int_as_float(bits < 0 ? bits - 1 : bits + 1);
}
__LW_DEVICE__ double __lw_next_up(double x) {
  long long bits = __double_as_longlong(x);
  return x == 0 ? __DBL_DENORM_MIN__ : __longlong_as_double(bits < 0 ? bits - 1 : bits + 1);
}
template <class Float> __LW_DEVICE__ Float __lw_next_down(Float x) { return -__lw_next_up(-x); }

// The number next to `nearest`, which is the exact result rounded to nearest, in the wanted direction; `error` is the
// sign of the exact result minus `nearest`.
template <class Float> __LW_DEVICE__ Float __lw_rounded_up(Float nearest, int error) {
  return error > 0 ? __lw_next_up(nearest) : nearest;
}
template <class Float> __LW_DEVICE__ Float __lw_rounded_down(Float nearest, int error) {
  return error < 0 ? __lw_next_down(nearest) : nearest;
}
template <class Float> __LW_DEVICE__ Float __lw_rounded_to_zero(Float nearest, int error) {
  return nearest > 0 ? __lw_rounded_down(nearest, error) : nearest < 0 ? __lw_rounded_up(nearest, error) : nearest;
}

template <class Type> __LW_DEVICE__ int __lw_compare(Type x, Type y) { return x > y ? 1 : x < y ? -1 : 0; }

// The sign of x - nearest. Where rounding has left the integer type's range (`beyond`), nearest is the greater.
template <class Integer, class Float>
__LW_DEVICE__ int __lw_error_of_conversion(Integer x, Float nearest, Float beyond) {
  return nearest >= beyond ? -1 : __lw_compare(x, static_cast<Integer>(nearest));
}
__LW_DEVICE__ int __lw_error_of_conversion(double x, float nearest, float) {
  return __lw_compare(x, static_cast<double>(nearest));
}

#define __LW_TO_FLOAT(from, name, to, beyond)                                                                    \
  __LW_DEVICE__ to __##name##_rn(from x) { return static_cast<to>(x); }                                          \
  __LW_DEVICE__ to __##name##_rz(from x) {                                                                       \
    to nearest = static_cast<to>(x);                                                                             \
    return __lw_rounded_to_zero(nearest, __lw_error_of_conversion(x, nearest, to(beyond)));                      \
  }                                                                                                              \
  __LW_DEVICE__ to __##name##_ru(from x) {                                                                       \
    to nearest = static_cast<to>(x);                                                                             \
    return __lw_rounded_up(nearest, __lw_error_of_conversion(x, nearest, to(beyond)));                           \
  }                                                                                                              \
  __LW_DEVICE__ to __##name##_rd(from x) {                                                                       \
    to nearest = static_cast<to>(x);                                                                             \
    return __lw_rounded_down(nearest, __lw_error_of_conversion(x, nearest, to(beyond)));                         \
  }

__LW_TO_FLOAT(int, int2float, float, 0x1p31f)
__LW_TO_FLOAT(unsigned int, uint2float, float, 0x1p32f)
__LW_TO_FLOAT(long long, ll2float, float, 0x1p63f)
__LW_TO_FLOAT(unsigned long long, ull2float, float, 0x1p64f)
__LW_TO_FLOAT(long long, ll2double, double, 0x1p63f)
__LW_TO_FLOAT(unsigned long long, ull2double, double, 0x1p64f)
__LW_TO_FLOAT(double, double2float, float, 0)
#undef __LW_TO_FLOAT

__LW_DEVICE__ double __int2double_rn(int x) { return x; }
__LW_DEVICE__ double __uint2double_rn(unsigned int x) { return x; }

// CUDA's older names, without underscores.
__LW_DEVICE__ int float2int(float x) { return __float2int_rz(x); }
__LW_DEVICE__ float int2float(int x) { return __int2float_rn(x); }
__LW_DEVICE__ int float_as_int(float x) { return __float_as_int(x); }
__LW_DEVICE__ float int_as_float(int x) { return __int_as_float(x); }

#endif
