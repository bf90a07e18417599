// SPDX-License-Identifier: Apache-2.0
// Logarithms of the bases, in two parts.
#ifndef LANEWISE_MATHLIB_FLOAT_CONSTANTS_H
#define LANEWISE_MATHLIB_FLOAT_CONSTANTS_H

// ln 2 and lg 2: 15 bits, whose products with integers of 9 bits are exact, and the rest.
#define LN_2_HIGH_F 0x1.62e4p-1f
#define LN_2_LOW_F 0x1.7f7d1cp-20f
#define LOG10_2_HIGH_F 0x1.344p-2f
#define LOG10_2_LOW_F 0x1.3509f8p-18f

// Their inverses, as one float each.
#define LOG2_E_F 0x1.715476p0f
#define LOG2_10_F 0x1.a934fp1f

#endif
