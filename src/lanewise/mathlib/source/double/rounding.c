// SPDX-License-Identifier: Apache-2.0
// To whole numbers, where that takes more than an instruction.
#include "arithmetic.h"

// Half away from zero. The number added is the one before 1/2, so that what comes before a half isn't carried over it:
// x + that is rounded to the next whole number just where |x| has a fraction of 1/2 or more; from 2^52 on it is lost.
PUBLIC double round(double x) {
  return __builtin_trunc(x + __builtin_copysign(0x1.fffffffffffffp-2, x));
}

// What doesn't fit becomes the least or the greatest number, NaN the least.
PRIVATE i64 to_integer(double whole) {
  i32 fits = __builtin_fabs(whole) < 0x1p63;
  i64 integer = (i64)(fits ? whole : 0.0);
  return fits ? integer : whole > 0.0 ? 0x7fffffffffffffff : -0x7fffffffffffffff - 1;
}
PUBLIC long lround(double x) {
  return to_integer(round(x));
}
PUBLIC long long llround(double x) {
  return to_integer(round(x));
}
PUBLIC long lrint(double x) {
  return to_integer(__builtin_rint(x));
}
PUBLIC long long llrint(double x) {
  return to_integer(__builtin_rint(x));
}

// Both parts have the sign of x; infinity leaves a fraction of zero.
PUBLIC double modf(double x, double *whole) {
  double part = __builtin_trunc(x);
  *whole = part;
  return __builtin_copysign(__builtin_fabs(x) == INFINITY ? 0.0 : x - part, x);
}
