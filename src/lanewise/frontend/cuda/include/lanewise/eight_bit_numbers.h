// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 bits: E4M3 (a sign, 4 bits of exponent, 3 of fraction; up to 448, no infinities) and E5M2 (up to 57344,
// infinities), of the OCP 8-bit Floating Point Specification 1.0. Conversions are the same in host and device code.
#ifndef LANEWISE_EIGHT_BIT_NUMBERS_H
#define LANEWISE_EIGHT_BIT_NUMBERS_H

#include "lanewise/narrow_numbers.h"

struct __lw_eight_bit_format {
  int fraction_bits, least_exponent; // of normal numbers
  unsigned int greatest, beyond;     // codes: the greatest finite number, and what is larger if nothing saturates
};
constexpr __lw_eight_bit_format __lw_e4m3 = {3, -6, 0x7e, 0x7f}, __lw_e5m2 = {2, -14, 0x7b, 0x7c};

// The nearest number, ties to even. A NaN becomes 0x7f. Other types convert to double exactly, but for large integers,
// which are beyond the greatest number.
__LW_HOST_DEVICE__ unsigned char __lw_to_eight_bits(double x, __lw_eight_bit_format format, bool saturates) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, x), one = 1ull << 52;
  unsigned int sign = static_cast<unsigned int>(bits >> 56) & 0x80;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  unsigned long long fraction = (bits & (one - 1)) | one;
  if (exponent == 1024 && fraction != one)
    return 0x7f;
  int above = exponent > format.least_exponent ? exponent - format.least_exponent : 0;
  int shift = 52 - format.fraction_bits + (exponent < format.least_exponent ? format.least_exponent - exponent : 0);
  unsigned long long code = 0;
  if (shift < 64) {
    unsigned long long half = 1ull << (shift - 1), rest = fraction & (2 * half - 1);
    code = fraction >> shift;
    code += rest > half || (rest == half && code & 1);
  }
  // A number's code follows that of the next smaller one, from one exponent to the next, too.
  code += static_cast<unsigned long long>(above) << format.fraction_bits;
  if (code > format.greatest)
    code = saturates ? format.greatest : format.beyond;
  return static_cast<unsigned char>(sign | code);
}

// Exactly; __half has all these numbers. A NaN is 0x7fff, as NVIDIA's functions give.
__LW_HOST_DEVICE__ unsigned short __lw_half_of_e4m3(unsigned char x) {
  unsigned int sign = (x & 0x80u) << 8, magnitude = x & 0x7fu;
  if (magnitude == 0x7f)
    return 0x7fff;
  if (magnitude >= 8)
    return static_cast<unsigned short>(sign | ((magnitude << 7) + (8u << 10)));
  int places = magnitude >= 4 ? 0 : magnitude >= 2 ? 1 : 2; // to the leading one
  unsigned int fraction = (magnitude << (8 + places)) & 0x3ffu;
  unsigned int exponent = static_cast<unsigned int>(8 - places) << 10;
  return static_cast<unsigned short>(magnitude == 0 ? sign : sign | exponent | fraction);
}
__LW_HOST_DEVICE__ unsigned short __lw_half_of_e5m2(unsigned char x) {
  return (x & 0x7fu) > 0x7cu ? 0x7fff : static_cast<unsigned short>(x << 8);
}

#endif
