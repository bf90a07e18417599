// SPDX-License-Identifier: Apache-2.0
// One of two numbers, or their distance.
#include "arithmetic.h"

// A number rather than NaN; of zeros, +0 is the greater. Equal numbers differ in nothing but a zero's sign, which the
// bits of both decide.
PUBLIC double fmax(double x, double y) {
  double greater = x > y || y != y ? x : y;
  return x == y ? from_bits(bits(x) & bits(y)) : greater;
}
PUBLIC double fmin(double x, double y) {
  double lesser = x < y || y != y ? x : y;
  return x == y ? from_bits(bits(x) | bits(y)) : lesser;
}

// The number farther from zero or nearer to it; of opposite numbers, the greater or the lesser. OpenCL 3.0 C, 6.15.2.
PUBLIC double maxmag(double x, double y) {
  double x_size = __builtin_fabs(x), y_size = __builtin_fabs(y);
  double equal = fmax(x, y), other = y_size > x_size ? y : equal;
  return x_size > y_size ? x : other;
}
PUBLIC double minmag(double x, double y) {
  double x_size = __builtin_fabs(x), y_size = __builtin_fabs(y);
  double equal = fmin(x, y), other = y_size < x_size ? y : equal;
  return x_size < y_size ? x : other;
}

PUBLIC double fdim(double x, double y) {
  return x <= y ? 0.0 : x - y;
}

// The next number from x towards y: numbers of a sign are ordered as their bits are.
PUBLIC double nextafter(double x, double y) {
  u64 number = bits(x);
  u64 step = (y > x) == (x > 0.0) ? 1 : -1;
  u64 from_zero = (bits(y) & 0x8000000000000000) | 1;
  u64 from_other = number + step;
  u64 next = x == 0.0 ? from_zero : from_other;
  double moved = from_bits(next), still = x == y ? y : moved;
  i32 unordered = !(x <= y || x >= y);
  return unordered ? x + y : still;
}
