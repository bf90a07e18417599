// SPDX-License-Identifier: Apache-2.0
// x^y as e^(y log(x)), with a logarithm of 70 bits; special values as C's annex F (F.10.4.5) and OpenCL C (7.5.1) say.
#include "double/exponential.h"
#include "double/logarithm_pair.h"

// x^y for finite x > 0 and any y; for other x, a number of no meaning. Beyond 2^80, y gives 0, 1 or infinity, as
// |log(x)| is 0 or at least 2^-53.
PRIVATE double power_of_positive(double x, double y) {
  double exponent = clamp(y, -0x1p80, 0x1p80);
  pair log_x = logarithm_pair(x);
  pair product = two_product(exponent, log_x.high);
  return exponential((pair){product.high, mad(exponent, log_x.low, product.low)});
}

// x^y for x = 0 and infinity, and y of the sign of the exponent.
PRIVATE double power_at_limit(double x, double y) { return (x > 0) == (y > 0) ? INFINITY : 0; }

// |x|^y for any x and y but NaN.
PRIVATE double power_of_magnitude(double x, double y) {
  double magnitude = __builtin_fabs(x), result = power_of_positive(magnitude, y);
  result = ((magnitude == 0) | (magnitude == INFINITY)) ? power_at_limit(magnitude, y) : result;
  return y == 0 ? 1 : result;
}

PRIVATE u32 is_nan(double x) { return x != x; }
PRIVATE u32 is_negative(double x) { return bits(x) >> 63; }
PRIVATE u32 is_integer(double y) { return __builtin_trunc(y) == y; }
PRIVATE u32 is_odd(double y) { return is_integer(y) & !is_integer(0.5 * y); }

PUBLIC double pow(double x, double y) {
  u32 undefined = (x < 0) & (x > -INFINITY) & !is_integer(y);
  double magnitude = power_of_magnitude(x, y);
  double result = (is_negative(x) & is_odd(y)) ? -magnitude : magnitude;
  result = undefined ? NAN : result;
  result = (is_nan(x) | is_nan(y)) ? x + y : result;
  return ((x == 1) | (y == 0)) ? 1 : result;
}

// x^y for x >= 0, and NaN for 0^0, 1^infinity and infinity^0.
PUBLIC double powr(double x, double y) {
  u32 undefined = (x < 0) | ((x == 1) & (__builtin_fabs(y) == INFINITY)) | ((y == 0) & ((x == 0) | (x == INFINITY)));
  double result = power_of_magnitude(x, y);
  result = undefined ? NAN : result;
  return (is_nan(x) | is_nan(y)) ? x + y : result;
}

PUBLIC double pown(double x, int n) {
  double magnitude = power_of_magnitude(x, n);
  double result = (is_negative(x) & n) ? -magnitude : magnitude;
  return (is_nan(x) & (n != 0)) ? x : result;
}

// x^(1/n), as e^(log(x) / n) with a quotient of 70 bits.
PUBLIC double rootn(double x, int n) {
  u32 undefined = (n == 0) | ((x < 0) & !(n & 1));
  double magnitude = __builtin_fabs(x), divisor = n, inverse = 1 / divisor;
  pair log_x = logarithm_pair(magnitude);
  double quotient = log_x.high * inverse;
  pair back = two_product(quotient, divisor);
  double remainder = ((log_x.high - back.high) - back.low) + log_x.low;
  double result = exponential((pair){quotient, remainder * inverse});
  result = ((magnitude == 0) | (magnitude == INFINITY)) ? power_at_limit(magnitude, n) : result;
  result = (is_negative(x) & n) ? -result : result;
  result = undefined ? NAN : result;
  return is_nan(x) ? x : result;
}
