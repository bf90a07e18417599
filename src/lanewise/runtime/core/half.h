// SPDX-License-Identifier: Apache-2.0
#ifndef LANEWISE_HALF_H
#define LANEWISE_HALF_H

#include <stdint.h>

// The nearest half of a float, to even in the middle.
static inline uint16_t half_bits(int32_t word) {
  uint32_t sign = (uint32_t)word >> 16 & 0x8000, size = (uint32_t)word & 0x7fffffff;
  if (size > 0x7f800000)
    return 0x7fff; // a NaN
  if (size >= 0x477ff000)
    return (uint16_t)(sign | 0x7c00); // more than the greatest half
  if (size < 0x38800000) { // less than the least normal half: in units of 2^-24
    uint32_t exponent = size >> 23, fraction = (size & 0x7fffff) | 0x800000, cut = 126 - exponent;
    if (exponent < 102)
      return (uint16_t)sign;
    uint32_t kept = fraction >> cut, rest = fraction & ((1u << cut) - 1), middle = 1u << (cut - 1);
    return (uint16_t)(sign | (kept + (rest > middle || (rest == middle && (kept & 1) != 0))));
  }
  return (uint16_t)(sign | ((size + 0xfff + (size >> 13 & 1)) >> 13) - (112 << 10));
}

#endif
