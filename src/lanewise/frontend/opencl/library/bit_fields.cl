// SPDX-License-Identifier: Apache-2.0
// Fields of bits in integers of ELEMENT, and bits in reverse order (cl_khr_extended_bit_ops). A field has `count` bits from
// bit `offset` on, and lies within the number.
#include "types.h"

#define AS(t, x) __builtin_astype(x, t)

PRIVATE UNSIGNED lowest_bits(uint count) {
  return count == 0 ? (UNSIGNED)0 : (UNSIGNED)((UNSIGNED)~(UNSIGNED)0 >> (BITS - count));
}

#define BIT_FIELDS(t, i, u)                                                                         \
  OVERLOAD t bitfield_insert(t base, t insert, uint offset, uint count) {                           \
    UNSIGNED field = (UNSIGNED)(lowest_bits(count) << offset);                                      \
    u moved = (u)(AS(u, insert) << (u)(UNSIGNED)offset);                                            \
    return AS(t, (u)((AS(u, base) & (u)(UNSIGNED)~field) | (moved & (u)field)));                    \
  }                                                                                                 \
  OVERLOAD i bitfield_extract_signed(t base, uint offset, uint count) {                             \
    SIGNED above = (SIGNED)(BITS - offset - count), beside = (SIGNED)(BITS - count);                \
    i moved = (i)(AS(i, base) << (i)above);                                                         \
    return count == 0 ? (i)0 : (i)(moved >> (i)beside);                                             \
  }                                                                                                 \
  OVERLOAD u bitfield_extract_unsigned(t base, uint offset, uint count) {                           \
    return (u)((AS(u, base) >> (u)(UNSIGNED)offset) & (u)lowest_bits(count));                       \
  }                                                                                                 \
  OVERLOAD t bit_reverse(t base) { return __builtin_elementwise_bitreverse(base); }
WIDTHS_3(BIT_FIELDS, ELEMENT, SIGNED, UNSIGNED)
