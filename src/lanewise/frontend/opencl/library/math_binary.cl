// SPDX-License-Identifier: Apache-2.0
// Built-in math functions of two arguments that the mathematical library computes (6.12.2): NAME.
#include "types.h"

PURE COMPUTED __lw_of_library(COMPUTED x, COMPUTED y) LIBRARY(NAME);

OVERLOAD ELEMENT NAME(ELEMENT x, ELEMENT y) { return (ELEMENT)__lw_of_library(x, y); }
BY_COMPONENT_2(ELEMENT, NAME, ELEMENT, ELEMENT)
