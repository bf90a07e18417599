// SPDX-License-Identifier: Apache-2.0
// expf, exp2f, exp10f.
#include "hardware/float/powers_of_two.h"

// e^x = 2^r * 2^n for the integer n below x * log2(e). So r is from 0 to 1, and 2^r from 1 to 2, where an ulp is largest
// beside the instruction's error: below 1 it would be half as large. n is kept from -126 to 127; beyond, r is what is left,
// and the product infinite, denormal or 0. The saturated sum is (x * log2(e) + 126) / 253, in which all of that is from 0
// to 1. It is rounded down to n + 126 by adding 1.5 * 2^23 + 1, which leaves n + 127, the exponent of 2^n, in the lowest
// bits.
PUBLIC float expf(float x) {
  float share = saturatedf(madf(x, 0x1.75b598p-8f, 0x1.fdf9eep-2f)), shifted = madf_down(share, 253.0f, EXPONENT_ROUNDER - 126.0f);
  float n = shifted - EXPONENT_ROUNDER;
  float r = madf(x, 0x1.4ae0cp-26f, madf(x, 0x1.715476p0f, -n)); // log2(e) in two parts
  return approximate_exp2_flushedf(r) * from_bits_f(bits_f(shifted) << 23);
}

// CUDA allows what the instruction promises.
PUBLIC float exp2f(float x) { return approximate_exp2f(x); }

// The argument is clamped to where the result is 0 or infinite. It is an even number 2 m of steps of lg 2 and a remainder
// r: the polynomial of r times 2^m, twice, of which only the second product rounds.
//
// (10^r - 1) / r for |r| <= 0.3015: minimax, error 2^-27.8 relative to 10^r.
PUBLIC float exp10f(float x) {
  static const float P[] = {0x1.26bb1cp1f,  0x1.535254p1f, 0x1.047044p1f,  0x1.2bd358p0f,
                            0x1.142d9cp-1f, 0x1.aa56f2p-3f, 0x1.18914ap-4f, 0x1.a7f7e2p-7f};
  x = lesserf(greaterf(x, -46.0f), 39.0f);
  float shifted = madf(x, 0x1.a934fp0f, EXPONENT_ROUNDER), m = shifted - EXPONENT_ROUNDER;
  float r = madf(m, 0x1.ec10cp-26f, madf(m, -0x1.344136p-1f, x)); // 2 lg 2 as 0x1.344136p-1 - 0x1.ec10cp-26
  return times_square_of_power(madf(POLYNOMIALF(r, P), r, 1.0f), shifted);
}
