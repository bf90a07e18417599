// SPDX-License-Identifier: Apache-2.0
// bitselect and select (6.12.6) of ELEMENT.
#include "types.h"

#define BITS_OF(x, u) __builtin_astype(x, u)
#define BITSELECT(t, u)                                                                                      \
  OVERLOAD t bitselect(t a, t b, t mask) {                                                                   \
    return __builtin_astype((u)((BITS_OF(a, u) & ~BITS_OF(mask, u)) | (BITS_OF(b, u) & BITS_OF(mask, u))), t);   \
  }
WIDTHS_2(BITSELECT, ELEMENT, UNSIGNED)

OVERLOAD ELEMENT select(ELEMENT a, ELEMENT b, SIGNED condition) { return condition ? b : a; }
OVERLOAD ELEMENT select(ELEMENT a, ELEMENT b, UNSIGNED condition) { return condition ? b : a; }

// Of vectors, the most significant bit decides.
#define SELECT(t, i, u)                                                                                      \
  OVERLOAD t select(t a, t b, i condition) { return condition < (i)0 ? b : a; }                              \
  OVERLOAD t select(t a, t b, u condition) { return __builtin_astype(condition, i) < (i)0 ? b : a; }
VECTORS_3(SELECT, ELEMENT, SIGNED, UNSIGNED)
