// SPDX-License-Identifier: Apache-2.0
// fmax and fmin (6.12.2): NAME. Their second argument may be one number for all components.
#include "types.h"

PURE COMPUTED __lw_of_library(COMPUTED x, COMPUTED y) LIBRARY(NAME);

OVERLOAD ELEMENT NAME(ELEMENT x, ELEMENT y) { return (ELEMENT)__lw_of_library(x, y); }
BY_COMPONENT_2(ELEMENT, NAME, ELEMENT, ELEMENT)

#define WITH_SCALAR(t) \
  OVERLOAD t NAME(t x, ELEMENT y) { return NAME(x, (t)y); }
VECTORS(WITH_SCALAR, ELEMENT)
