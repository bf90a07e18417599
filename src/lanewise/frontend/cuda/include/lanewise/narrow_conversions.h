// SPDX-License-Identifier: Apache-2.0
// Conversions of the 16-bit floating-point types, by the names that CUDA makes of the type's: `tok` is half or
// bfloat16, `tok2` half2 or bfloat162 (CUDA Math API, half and bfloat16 precision conversion and data movement).
#ifndef LANEWISE_NARROW_CONVERSIONS_H
#define LANEWISE_NARROW_CONVERSIONS_H

#include "lanewise/narrow_types.h"

// One step from the number nearest to x, where that is not exact.
template <class Narrow> __LW_HOST_DEVICE__ Narrow __lw_stepped(unsigned short bits, int step) {
  return __builtin_bit_cast(Narrow, static_cast<unsigned short>(bits + step));
}
template <class Narrow> __LW_HOST_DEVICE__ Narrow __lw_narrow_rz(float x) {
  Narrow nearest = static_cast<Narrow>(x);
  float shown = static_cast<float>(nearest);
  bool beyond = x > 0 ? shown > x : shown < x;
  return __lw_stepped<Narrow>(__builtin_bit_cast(unsigned short, nearest), beyond ? -1 : 0);
}
template <class Narrow> __LW_HOST_DEVICE__ Narrow __lw_narrow_ru(float x) {
  Narrow nearest = static_cast<Narrow>(x);
  unsigned short bits = __builtin_bit_cast(unsigned short, nearest);
  if (!(static_cast<float>(nearest) < x))
    return nearest;
  return bits == 0x8000 ? __lw_stepped<Narrow>(1, 0) : __lw_stepped<Narrow>(bits, bits >> 15 ? -1 : 1);
}
template <class Narrow> __LW_HOST_DEVICE__ Narrow __lw_narrow_rd(float x) {
  unsigned short bits = __builtin_bit_cast(unsigned short, __lw_narrow_ru<Narrow>(-x));
  return __builtin_bit_cast(Narrow, static_cast<unsigned short>(bits ^ 0x8000));
}

// Bits rather than constructors, whose overloads take the compiler time.
#define __LW_MADE(type, value) __builtin_bit_cast(type, value)

#define __LW_CONVERT_ROUNDED(tok, scalar, native, mode, ptx, least)                                              \
  __LW_HOST_DEVICE__ scalar __float2##tok##_##mode(float x) {                                                    \
    return __LW_MADE(scalar, __lw_narrow_##mode<native>(x));                                                     \
  }                                                                                                              \
  __LW_CONVERT_ALL(tok, scalar, native, mode, ptx, __lw_narrow_##mode<native>)
#define __LW_CONVERT_ALL(tok, scalar, native, mode, ptx, narrow)                                                 \
  __LW_FROM_INTEGER(tok, scalar, short, short, mode, narrow)                                                     \
  __LW_FROM_INTEGER(tok, scalar, ushort, unsigned short, mode, narrow)                                           \
  __LW_FROM_INTEGER(tok, scalar, int, int, mode, narrow)                                                         \
  __LW_FROM_INTEGER(tok, scalar, uint, unsigned int, mode, narrow)                                               \
  __LW_FROM_INTEGER(tok, scalar, ll, long long, mode, narrow)                                                    \
  __LW_FROM_INTEGER(tok, scalar, ull, unsigned long long, mode, narrow)                                          \
  __LW_TO_INTEGER(tok, scalar, int, int, mode, __LW_NUMBER(f2i_##ptx)(x.__x))                                    \
  __LW_TO_INTEGER(tok, scalar, uint, unsigned int, mode, __LW_NUMBER(f2ui_##ptx)(x.__x))                         \
  __LW_TO_INTEGER(tok, scalar, ll, long long, mode, __LW_NUMBER(f2ll_##ptx)(x.__x))                              \
  __LW_TO_INTEGER(tok, scalar, ull, unsigned long long, mode, __LW_NUMBER(f2ull_##ptx)(x.__x))                   \
  __LW_TO_INTEGER(tok, scalar, short, short, mode, __lw_clamped<short>(__LW_NUMBER(f2i_##ptx)(x.__x), -32768, 32767))  \
  __LW_TO_INTEGER(tok, scalar, ushort, unsigned short, mode,                                                     \
                  __lw_clamped<unsigned short>(__LW_NUMBER(f2i_##ptx)(x.__x), 0, 65535))
#define __LW_FROM_INTEGER(tok, scalar, name, type, mode, narrow)                                                 \
  __LW_HOST_DEVICE__ scalar __##name##2##tok##_##mode(type x) { return __LW_MADE(scalar, narrow(__lw_odd_float(x))); }
#define __LW_TO_INTEGER(tok, scalar, name, type, mode, result)                                                   \
  __LW_HOST_DEVICE__ type __##tok##2##name##_##mode(scalar x) { return result; }

#define __LW_NARROW_CONVERSION_FUNCTIONS(tok, tok2, scalar, pair, native, parts)                                 \
  __LW_CONVERT_ALL(tok, scalar, native, rn, rn, static_cast<native>)                                             \
  __LW_CONVERT_ROUNDED(tok, scalar, native, rz, rz, )                                                            \
  __LW_CONVERT_ROUNDED(tok, scalar, native, ru, rp, )                                                            \
  __LW_CONVERT_ROUNDED(tok, scalar, native, rd, rm, )                                                            \
  __LW_HOST_DEVICE__ signed char __##tok##2char_rz(scalar x) { return __lw_to_char(x.__x); }                     \
  __LW_HOST_DEVICE__ unsigned char __##tok##2uchar_rz(scalar x) { return __lw_to_uchar(x.__x); }                 \
  __LW_HOST_DEVICE__ scalar __float2##tok(float x) { return __LW_MADE(scalar, static_cast<native>(x)); }         \
  __LW_HOST_DEVICE__ scalar __float2##tok##_rn(float x) { return __LW_MADE(scalar, static_cast<native>(x)); }    \
  __LW_HOST_DEVICE__ scalar __double2##tok(double x) {                                                           \
    return __LW_MADE(scalar, static_cast<native>(__lw_odd_float(x)));                                            \
  }                                                                                                              \
  __LW_HOST_DEVICE__ float __##tok##2float(scalar x) { return x.__x; }                                           \
  __LW_HOST_DEVICE__ short __##tok##_as_short(scalar x) { return __builtin_bit_cast(short, x); }                 \
  __LW_HOST_DEVICE__ unsigned short __##tok##_as_ushort(scalar x) {                                              \
    return __builtin_bit_cast(unsigned short, x);                                                                \
  }                                                                                                              \
  __LW_HOST_DEVICE__ scalar __short_as_##tok(short x) { return __builtin_bit_cast(scalar, x); }                  \
  __LW_HOST_DEVICE__ scalar __ushort_as_##tok(unsigned short x) { return __builtin_bit_cast(scalar, x); }        \
  __LW_HOST_DEVICE__ pair make_##tok2(scalar x, scalar y) { return __LW_MADE(pair, (parts{x.__x, y.__x})); }     \
  __LW_HOST_DEVICE__ pair __halves2##tok2(scalar x, scalar y) { return __LW_MADE(pair, (parts{x.__x, y.__x})); } \
  __LW_HOST_DEVICE__ pair __##tok##2##tok2(scalar x) { return __LW_MADE(pair, (parts{x.__x, x.__x})); }          \
  __LW_HOST_DEVICE__ pair __floats2##tok2##_rn(float x, float y) {                                               \
    return __LW_MADE(pair, (parts{static_cast<native>(x), static_cast<native>(y)}));                             \
  }                                                                                                              \
  __LW_HOST_DEVICE__ pair __float2##tok2##_rn(float x) { return __floats2##tok2##_rn(x, x); }                    \
  __LW_HOST_DEVICE__ pair __float22##tok2##_rn(float2 x) { return __floats2##tok2##_rn(x.x, x.y); }              \
  __LW_HOST_DEVICE__ float2 __##tok2##2float2(pair x) { return float2{x.x.__x, x.y.__x}; }                       \
  __LW_HOST_DEVICE__ float __low2float(pair x) { return x.x.__x; }                                               \
  __LW_HOST_DEVICE__ float __high2float(pair x) { return x.y.__x; }                                              \
  __LW_HOST_DEVICE__ scalar __low2##tok(pair x) { return __LW_MADE(scalar, x.x.__x); }                           \
  __LW_HOST_DEVICE__ scalar __high2##tok(pair x) { return __LW_MADE(scalar, x.y.__x); }                          \
  __LW_HOST_DEVICE__ pair __low2##tok2(pair x) { return __LW_MADE(pair, (parts{x.x.__x, x.x.__x})); }            \
  __LW_HOST_DEVICE__ pair __high2##tok2(pair x) { return __LW_MADE(pair, (parts{x.y.__x, x.y.__x})); }           \
  __LW_HOST_DEVICE__ pair __lows2##tok2(pair x, pair y) { return __LW_MADE(pair, (parts{x.x.__x, y.x.__x})); }   \
  __LW_HOST_DEVICE__ pair __highs2##tok2(pair x, pair y) { return __LW_MADE(pair, (parts{x.y.__x, y.y.__x})); }  \
  __LW_HOST_DEVICE__ pair __lowhigh2highlow(pair x) { return __LW_MADE(pair, (parts{x.y.__x, x.x.__x})); }

#endif
