// SPDX-License-Identifier: Apache-2.0
// ilogb (6.12.2).
#include "types.h"

PURE int __lw_of_library(COMPUTED x) LIBRARY(ilogb);

OVERLOAD int ilogb(ELEMENT x) { return __lw_of_library(x); }
BY_COMPONENT_1(int, ilogb, ELEMENT)
