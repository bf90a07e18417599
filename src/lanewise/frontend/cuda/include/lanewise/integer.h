// SPDX-License-Identifier: Apache-2.0
// Integer intrinsics: bits, bytes, funnel shifts, high halves of products, averages (CUDA Math API, integer
// intrinsics).
#ifndef LANEWISE_INTEGER_H
#define LANEWISE_INTEGER_H

#include "lanewise/math_overloads.h"
#include "lanewise/vector_types.h"

__LW_DEVICE__ int __popc(unsigned int x) { return __builtin_popcount(x); }
__LW_DEVICE__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__LW_DEVICE__ int __clz(int x) { return __builtin_clzg(static_cast<unsigned int>(x), 32); }
__LW_DEVICE__ int __clzll(long long x) { return __builtin_clzg(static_cast<unsigned long long>(x), 64); }
__LW_DEVICE__ int __ffs(int x) { return 1 + __builtin_ctzg(static_cast<unsigned int>(x), -1); }
__LW_DEVICE__ int __ffsll(long long x) { return 1 + __builtin_ctzg(static_cast<unsigned long long>(x), -1); }
__LW_DEVICE__ unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__LW_DEVICE__ unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }

// Position of the `nth` set bit of `mask` from bit `base`, upwards for nth > 0, downwards for nth < 0; ~0 if none.
__LW_DEVICE__ unsigned int __fns(unsigned int mask, unsigned int base, int nth) {
  if (nth == 0)
    return mask >> base & 1 ? base : 0xffffffffu;
  int step = nth > 0 ? 1 : -1, left = nth > 0 ? nth : -nth;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && --left == 0)
      return bit;
  return 0xffffffffu;
}

// Byte i of the result is the byte of {y, x} that the 4-bit selector i names; its top bit spreads the byte's sign.
__LW_DEVICE__ unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  return __nvvm_prmt(x, y, selector);
}

// The shift is taken modulo 32; with the suffix c it is clamped to 32.
__LW_DEVICE__ unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return __builtin_elementwise_fshl(high, low, shift);
}
__LW_DEVICE__ unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return __builtin_elementwise_fshr(high, low, shift);
}
__LW_DEVICE__ unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __builtin_elementwise_fshl(high, low, shift);
}
__LW_DEVICE__ unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __builtin_elementwise_fshr(high, low, shift);
}

__LW_DEVICE__ int __mul24(int x, int y) {
  return static_cast<int>(static_cast<unsigned int>(x << 8 >> 8) * static_cast<unsigned int>(y << 8 >> 8));
}
__LW_DEVICE__ unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }
__LW_DEVICE__ int mul24(int x, int y) { return __mul24(x, y); }
__LW_DEVICE__ unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
__LW_DEVICE__ int __mulhi(int x, int y) { return static_cast<long long>(x) * y >> 32; }
__LW_DEVICE__ unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned long long>(x) * y >> 32;
}
__LW_DEVICE__ long long __mul64hi(long long x, long long y) { return static_cast<__int128>(x) * y >> 64; }
__LW_DEVICE__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned __int128>(x) * y >> 64;
}

__LW_DEVICE__ unsigned int __sad(int x, int y, unsigned int z) {
  return z + (x > y ? static_cast<unsigned int>(x) - y : static_cast<unsigned int>(y) - x);
}
__LW_DEVICE__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return z + (x > y ? x - y : y - x);
}
__LW_DEVICE__ int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
__LW_DEVICE__ int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
__LW_DEVICE__ unsigned int __uhadd(unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
__LW_DEVICE__ unsigned int __urhadd(unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }

// The dot product of four bytes with four, or of two halfwords with the lower or upper two of four bytes, plus c; sums
// wrap around.
#define __LW_DOT_PRODUCTS(type, byte, halfword, bytes, halfwords)                                                \
  __LW_DEVICE__ type __dp4a(type a, type b, type c) {                                                            \
    unsigned int sum = c;                                                                                        \
    for (int i = 0; i < 32; i += 8)                                                                              \
      sum += static_cast<byte>(a >> i) * static_cast<byte>(b >> i);                                              \
    return sum;                                                                                                  \
  }                                                                                                              \
  __LW_DEVICE__ type __dp2a_lo(type a, type b, type c) {                                                         \
    unsigned int sum = c;                                                                                        \
    sum += static_cast<halfword>(a) * static_cast<byte>(b);                                                      \
    return sum + static_cast<halfword>(a >> 16) * static_cast<byte>(b >> 8);                                     \
  }                                                                                                              \
  __LW_DEVICE__ type __dp2a_hi(type a, type b, type c) { return __dp2a_lo(a, b >> 16, c); }                      \
  __LW_DEVICE__ type __dp4a(bytes a, bytes b, type c) {                                                          \
    return __dp4a(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                                  \
  }                                                                                                              \
  __LW_DEVICE__ type __dp2a_lo(halfwords a, bytes b, type c) {                                                   \
    return __dp2a_lo(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                               \
  }                                                                                                              \
  __LW_DEVICE__ type __dp2a_hi(halfwords a, bytes b, type c) {                                                   \
    return __dp2a_hi(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                               \
  }

__LW_DOT_PRODUCTS(int, signed char, short, char4, short2)
__LW_DOT_PRODUCTS(unsigned int, unsigned char, unsigned short, uchar4, ushort2)
#undef __LW_DOT_PRODUCTS

#endif
