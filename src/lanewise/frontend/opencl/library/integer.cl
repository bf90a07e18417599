// SPDX-License-Identifier: Apache-2.0
// Integer functions (6.12.3) of ELEMENT. Signed arithmetic wraps around in all of the library.
#include "types.h"

#define AS(t, x) __builtin_astype(x, t)
#define HIGHEST ((ELEMENT)(IS_SIGNED ? (UNSIGNED)~(UNSIGNED)0 >> 1 : (UNSIGNED)~(UNSIGNED)0))
#define LOWEST ((ELEMENT)(IS_SIGNED ? (UNSIGNED)1 << (BITS - 1) : 0))

// The upper half of the product. (Clang's own names for the intrinsics are of its long long, which has 128 bits.)
#if BITS == 64
PURE long __lw_mul_hi_signed(long x, long y) __asm("llvm.nvvm.mulhi.ll");
PURE ulong __lw_mul_hi_unsigned(ulong x, ulong y) __asm("llvm.nvvm.mulhi.ull");
PRIVATE ELEMENT upper_half(ELEMENT x, ELEMENT y) {
  return IS_SIGNED ? (ELEMENT)__lw_mul_hi_signed(x, y) : (ELEMENT)__lw_mul_hi_unsigned(x, y);
}
#else
PRIVATE ELEMENT upper_half(ELEMENT x, ELEMENT y) {
  return (ELEMENT)(IS_SIGNED ? (long)x * (long)y >> BITS : (long)((ulong)x * (ulong)y >> BITS));
}
#endif
OVERLOAD ELEMENT mul_hi(ELEMENT x, ELEMENT y) { return upper_half(x, y); }
BY_COMPONENT_2(ELEMENT, mul_hi, ELEMENT, ELEMENT)

// x * y + z in twice the bits, and from there to the nearest number of the type.
OVERLOAD ELEMENT mad_sat(ELEMENT x, ELEMENT y, ELEMENT z) {
#if BITS == 64
  ELEMENT high = upper_half(x, y);
  ulong product = (ulong)x * (ulong)y, low = product + (ulong)z;
  high += (low < product ? 1 : 0) + (z < 0 ? -1 : 0);
  if (IS_SIGNED)
    return high == (long)low >> 63 ? (ELEMENT)low : high < 0 ? LOWEST : HIGHEST;
  return high == 0 ? (ELEMENT)low : HIGHEST;
#else
  if (IS_SIGNED) {
    long sum = (long)x * (long)y + (long)z;
    return (ELEMENT)(sum < (long)LOWEST ? (long)LOWEST : sum > (long)HIGHEST ? (long)HIGHEST : sum);
  }
  ulong sum = (ulong)x * (ulong)y + (ulong)z;
  return (ELEMENT)(sum > (ulong)HIGHEST ? (ulong)HIGHEST : sum);
#endif
}
BY_COMPONENT_3(ELEMENT, mad_sat, ELEMENT, ELEMENT, ELEMENT)

#define OPERATORS(t, u)                                                                              \
  OVERLOAD u abs(t x) { return IS_SIGNED ? x < (t)0 ? -AS(u, x) : AS(u, x) : AS(u, x); }                \
  OVERLOAD u abs_diff(t x, t y) { return x > y ? AS(u, x) - AS(u, y) : AS(u, y) - AS(u, x); }        \
  OVERLOAD t add_sat(t x, t y) { return __builtin_elementwise_add_sat(x, y); }                       \
  OVERLOAD t sub_sat(t x, t y) { return __builtin_elementwise_sub_sat(x, y); }                       \
  OVERLOAD t hadd(t x, t y) { return (x >> (t)1) + (y >> (t)1) + (x & y & (t)1); }                   \
  OVERLOAD t rhadd(t x, t y) { return (x >> (t)1) + (y >> (t)1) + ((x | y) & (t)1); }                \
  OVERLOAD t max(t x, t y) { return x < y ? y : x; }                                                 \
  OVERLOAD t min(t x, t y) { return y < x ? y : x; }                                                 \
  OVERLOAD t clamp(t x, t low, t high) { return min(max(x, low), high); }                            \
  OVERLOAD t clz(t x) { return AS(t, __builtin_elementwise_clzg(AS(u, x), (u)BITS)); }               \
  OVERLOAD t ctz(t x) { return AS(t, __builtin_elementwise_ctzg(AS(u, x), (u)BITS)); }               \
  OVERLOAD t popcount(t x) { return __builtin_elementwise_popcount(x); }                             \
  OVERLOAD t rotate(t x, t count) { return AS(t, __builtin_elementwise_fshl(AS(u, x), AS(u, x), AS(u, count))); } \
  OVERLOAD t mad_hi(t x, t y, t z) { return mul_hi(x, y) + z; }
WIDTHS_2(OPERATORS, ELEMENT, UNSIGNED)

#define WITH_SCALARS(t)                                                                 \
  OVERLOAD t max(t x, ELEMENT y) { return max(x, (t)y); }                               \
  OVERLOAD t min(t x, ELEMENT y) { return min(x, (t)y); }                               \
  OVERLOAD t clamp(t x, ELEMENT low, ELEMENT high) { return clamp(x, (t)low, (t)high); }
VECTORS(WITH_SCALARS, ELEMENT)

#if BITS == 32
// Where an argument takes more than 24 bits, as if it didn't matter.
#define OF_24_BITS(t)                                      \
  OVERLOAD t mul24(t x, t y) { return x * y; }             \
  OVERLOAD t mad24(t x, t y, t z) { return x * y + z; }
WIDTHS(OF_24_BITS, ELEMENT)
#endif

#if BITS < 64
#define WIDER JOIN(WIDER_, ELEMENT)
#define WIDER_char short
#define WIDER_uchar ushort
#define WIDER_short int
#define WIDER_ushort uint
#define WIDER_int long
#define WIDER_uint ulong
OVERLOAD WIDER upsample(ELEMENT high, UNSIGNED low) { return (WIDER)((WIDER)high << BITS | low); }
#define UPSAMPLE(w, t, u)                                                                           \
  OVERLOAD w upsample(t high, u low) {                                                              \
    return __builtin_convertvector(high, w) << (w)BITS | __builtin_convertvector(low, w);           \
  }
VECTORS_3(UPSAMPLE, WIDER, ELEMENT, UNSIGNED)
#endif
