// SPDX-License-Identifier: Apache-2.0
// To whole numbers, where that takes more than an instruction.
#include "arithmetic.h"

// Half away from zero. The number added is the one before 1/2, so that what comes before a half isn't carried over it:
// x + that is rounded to the next whole number just where |x| has a fraction of 1/2 or more; from 2^23 on it is lost.
PUBLIC float roundf(float x) {
  return __builtin_truncf(x + __builtin_copysignf(0x1.fffffep-2f, x));
}

// What doesn't fit becomes the least or the greatest number, NaN the least.
PRIVATE i64 to_integerf(float whole) {
  i32 fits = __builtin_fabsf(whole) < 0x1p63f;
  i64 integer = (i64)(fits ? whole : 0.0f);
  return fits ? integer : whole > 0.0f ? 0x7fffffffffffffff : -0x7fffffffffffffff - 1;
}
PUBLIC long lroundf(float x) {
  return to_integerf(roundf(x));
}
PUBLIC long long llroundf(float x) {
  return to_integerf(roundf(x));
}
PUBLIC long lrintf(float x) {
  return to_integerf(__builtin_rintf(x));
}
PUBLIC long long llrintf(float x) {
  return to_integerf(__builtin_rintf(x));
}

// Both parts have the sign of x; infinity leaves a fraction of zero.
PUBLIC float modff(float x, float *whole) {
  float part = __builtin_truncf(x);
  *whole = part;
  return __builtin_copysignf(__builtin_fabsf(x) == INFINITYF ? 0.0f : x - part, x);
}
