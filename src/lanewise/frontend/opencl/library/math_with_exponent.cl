// SPDX-License-Identifier: Apache-2.0
// ldexp, pown and rootn (6.12.2): NAME. The second argument is an int; ldexp's may be one for all components.
#include "types.h"

PURE COMPUTED __lw_of_library(COMPUTED x, int n) LIBRARY(NAME);

OVERLOAD ELEMENT NAME(ELEMENT x, int n) { return (ELEMENT)__lw_of_library(x, n); }
BY_COMPONENT_2(ELEMENT, NAME, ELEMENT, int)

#ifdef WITH_SCALARS
#define WITH_SCALAR(t, i) \
  OVERLOAD t NAME(t x, int n) { return NAME(x, (i)n); }
VECTORS_2(WITH_SCALAR, ELEMENT, int)
#endif
