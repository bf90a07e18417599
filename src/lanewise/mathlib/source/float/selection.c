// SPDX-License-Identifier: Apache-2.0
// One of two numbers, or their distance.
#include "arithmetic.h"

// A number rather than NaN; of zeros, +0 is the greater. Equal numbers differ in nothing but a zero's sign, which the
// bits of both decide.
PUBLIC float fmaxf(float x, float y) {
  float greater = x > y || y != y ? x : y;
  return x == y ? from_bits_f(bits_f(x) & bits_f(y)) : greater;
}
PUBLIC float fminf(float x, float y) {
  float lesser = x < y || y != y ? x : y;
  return x == y ? from_bits_f(bits_f(x) | bits_f(y)) : lesser;
}

// The number farther from zero or nearer to it; of opposite numbers, the greater or the lesser. OpenCL 3.0 C, 6.15.2.
PUBLIC float maxmagf(float x, float y) {
  float x_size = __builtin_fabsf(x), y_size = __builtin_fabsf(y);
  float equal = fmaxf(x, y), other = y_size > x_size ? y : equal;
  return x_size > y_size ? x : other;
}
PUBLIC float minmagf(float x, float y) {
  float x_size = __builtin_fabsf(x), y_size = __builtin_fabsf(y);
  float equal = fminf(x, y), other = y_size < x_size ? y : equal;
  return x_size < y_size ? x : other;
}

PUBLIC float fdimf(float x, float y) {
  return x <= y ? 0.0f : x - y;
}

// The next number from x towards y: numbers of a sign are ordered as their bits are.
PUBLIC float nextafterf(float x, float y) {
  u32 number = bits_f(x);
  u32 step = (y > x) == (x > 0.0f) ? 1 : -1;
  u32 from_zero = (bits_f(y) & 0x80000000) | 1;
  u32 from_other = number + step;
  u32 next = x == 0.0f ? from_zero : from_other;
  float moved = from_bits_f(next), still = x == y ? y : moved;
  i32 unordered = !(x <= y || x >= y);
  return unordered ? x + y : still;
}
