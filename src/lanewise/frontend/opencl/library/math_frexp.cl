// SPDX-License-Identifier: Apache-2.0
// frexp (6.12.2).
#include "two_results.h"

COMPUTED __lw_of_library(COMPUTED x, int *exponent) LIBRARY(frexp);

OVERLOAD ELEMENT frexp(ELEMENT x, int *exponent) { return (ELEMENT)__lw_of_library(x, exponent); }
ALL_WIDTHS(1, frexp, ELEMENT, int)
