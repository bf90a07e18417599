// SPDX-License-Identifier: Apache-2.0
// Built-in math functions of one argument that the mathematical library computes (6.12.2): NAME.
#include "types.h"

PURE COMPUTED __lw_of_library(COMPUTED x) LIBRARY(NAME);

OVERLOAD ELEMENT NAME(ELEMENT x) { return (ELEMENT)__lw_of_library(x); }
BY_COMPONENT_1(ELEMENT, NAME, ELEMENT)
