// SPDX-License-Identifier: Apache-2.0
// nextafter (6.12.2), by the bits: magnitudes are in the order of their bits as integers.
#include "types.h"

OVERLOAD ELEMENT nextafter(ELEMENT x, ELEMENT y) {
  UNSIGNED bits = __builtin_astype(x, UNSIGNED), of_y = __builtin_astype(y, UNSIGNED);
  bool is_negative = __builtin_astype(x, SIGNED) < 0;
  UNSIGNED sign_bit = (UNSIGNED)1 << (sizeof(ELEMENT) * CHAR_BIT - 1);
  UNSIGNED moved = (x < y) == is_negative ? bits - 1 : bits + 1;
  moved = x == 0 ? (UNSIGNED)((of_y & sign_bit) | 1) : moved;
  moved = x == y ? of_y : moved;
  return x != x ? x : y != y ? y : __builtin_astype(moved, ELEMENT);
}
BY_COMPONENT_2(ELEMENT, nextafter, ELEMENT, ELEMENT)
