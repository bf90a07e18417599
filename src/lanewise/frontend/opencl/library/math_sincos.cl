// SPDX-License-Identifier: Apache-2.0
// sincos (6.12.2).
#include "two_results.h"

PURE COMPUTED __lw_sine(COMPUTED x) LIBRARY(sin);
PURE COMPUTED __lw_cosine(COMPUTED x) LIBRARY(cos);

OVERLOAD ELEMENT sincos(ELEMENT x, ELEMENT *cosine) {
  *cosine = (ELEMENT)__lw_cosine(x);
  return (ELEMENT)__lw_sine(x);
}
ALL_WIDTHS(1, sincos, ELEMENT, ELEMENT)
