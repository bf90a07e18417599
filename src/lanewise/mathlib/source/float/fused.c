// SPDX-License-Identifier: Apache-2.0
// x * y + z in one rounding, also where no instruction does it.
#include "arithmetic.h"

#if LW_FUSED
PUBLIC float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
#else
// The product is exact in double. The sum is rounded to odd there: to the one of both neighbours whose last bit is 1,
// unless it is exact. With at least two bits more than the result has, also where that is denormal, this makes the
// second rounding right. Source: Boldo and Melquiond, Emulation of a FMA and correctly rounded sums: proved
// algorithms using rounding to odd (2008).
PUBLIC float fmaf(float x, float y, float z) {
  double product = (double)x * y;
  pair sum = two_sum(product, z);
  u64 even = ~bits(sum.high) & 1;
  u64 outward = (sum.high > 0.0) == (sum.low > 0.0) ? even : -even;
  i32 exact = !(sum.low > 0.0 || sum.low < 0.0);
  return (float)(exact ? sum.high : from_bits(bits(sum.high) + outward));
}
#endif
