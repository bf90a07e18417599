// SPDX-License-Identifier: Apache-2.0
// What powers of e are made of: x = 2 m ln 2 + r for an integer m, and a polynomial of r.
#ifndef LANEWISE_MATHLIB_HARDWARE_FLOAT_NATURAL_EXPONENTIAL_H
#define LANEWISE_MATHLIB_HARDWARE_FLOAT_NATURAL_EXPONENTIAL_H

#include "hardware/float/powers_of_two.h"

// |r| <= 0.6945; shifted is m + EXPONENT_ROUNDER.
typedef struct {
  float r, shifted;
} natural_partsf;

// For |x| < 170.
PRIVATE natural_partsf natural_parts_of(float x) {
  float shifted = madf(x, 0x1.715476p-1f, EXPONENT_ROUNDER), m = shifted - EXPONENT_ROUNDER;
  float r = madf(m, 0x1.05c61p-28f, madf(m, -0x1.62e43p0f, x)); // 2 ln 2 as 0x1.62e43p0 - 0x1.05c61p-28
  return (natural_partsf){r, shifted};
}

// (e^r - 1) / r for |r| <= 0.6945: minimax, error 2^-30.2 relative to e^r.
static const float EXPONENTIAL_P[] = {1.0f,           0x1p-1f,         0x1.55555cp-3f, 0x1.555532p-5f,
                                      0x1.110b5cp-7f, 0x1.6c2cacp-10f, 0x1.a5629p-13f, 0x1.9b8a4p-16f};

#endif
