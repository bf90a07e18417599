// SPDX-License-Identifier: Apache-2.0
// remquo (6.12.2).
#include "two_results.h"

COMPUTED __lw_of_library(COMPUTED x, COMPUTED y, int *quotient) LIBRARY(remquo);

OVERLOAD ELEMENT remquo(ELEMENT x, ELEMENT y, int *quotient) { return (ELEMENT)__lw_of_library(x, y, quotient); }
ALL_WIDTHS(2, remquo, ELEMENT, int)
