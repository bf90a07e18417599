// SPDX-License-Identifier: Apache-2.0
// The leading half of a float's significand. Products of two heads are exact, with fused operations and without.
#ifndef LANEWISE_MATHLIB_FLOAT_HEAD_H
#define LANEWISE_MATHLIB_FLOAT_HEAD_H

#include "arithmetic.h"

// x cut to 12 bits; x - headf(x) is exact and fits in 12 bits too.
PRIVATE float headf(float x) { return from_bits_f(bits_f(x) & 0xfffff000); }

#endif
