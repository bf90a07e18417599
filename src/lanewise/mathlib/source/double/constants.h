// SPDX-License-Identifier: Apache-2.0
// Numbers that exponentials and logarithms share.
#ifndef LANEWISE_MATHLIB_DOUBLE_CONSTANTS_H
#define LANEWISE_MATHLIB_DOUBLE_CONSTANTS_H

#include "arithmetic.h"

// Added to |x| < 2^51, it leaves x rounded to an integer in the low bits of the sum.
static const double ROUNDER = 0x1.8p52;

// ln(2) in two parts, of which the first is a multiple of 2^-42: its products with integers up to 2^11 are exact.
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;

// log2(e) and what it lacks.
static const double LOG2_E = 0x1.71547652b82fep+0, LOG2_E_TAIL = 0x1.777d0ffda0d24p-56;

// log10(2) in two parts, of which the first is a multiple of 2^-43.
static const double LOG10_2_HIGH = 0x1.34413509f78p-2, LOG10_2_LOW = 0x1.fef311f12b358p-46;

#endif
