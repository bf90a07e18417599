// SPDX-License-Identifier: Apache-2.0
// rsqrt.
#include "hardware/instructions.h"

// y (1 + e / 2 + 3 e^2 / 8 + 5 e^3 / 16) for e = 1 - x y^2 up to 2^-17, which leaves 2^-70. Small numbers are scaled to
// where the instruction doesn't take them for zero; of zero, infinity, NaN and negative numbers, y is right itself.
PUBLIC double rsqrt(double x) {
  int small = x < 0x1p-960;
  double scaled = small ? x * 0x1p120 : x, y = approximate_reciprocal_root(scaled);
  double e = __builtin_fma(-scaled * y, y, 1), series = __builtin_fma(__builtin_fma(e, 0.3125, 0.375), e, 0.5);
  u32 high = bits(scaled) >> 32;
  double result = high - 0x00100000 < 0x7fe00000 ? __builtin_fma(y * e, series, y) : y;
  return small ? result * 0x1p60 : result;
}
