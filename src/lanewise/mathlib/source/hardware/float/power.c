// SPDX-License-Identifier: Apache-2.0
// powf.
#include "hardware/float/powers_of_two.h"

// log2(x) + more for a positive number that is finite and not denormal, in two parts, to 2^-33. The low part is up to
// 2^-23 of the high one.
//
// x = 2^n * m with m from 2^(-1/4) to 2^(3/4), and with c = 1 or a float near the square root of 2 whose logarithm is
// 0x1.0014p-1 to 2^-35.3, log2(m) = log2(c) + 2 / ln 2 * artanh(s), s = (m - c) / (m + c), |s| <= 0.0866. The quotient is
// the product with the approximate reciprocal, and what remains of the division with it.
PRIVATE pairf binary_logarithmf(float x, float more) {
  // 2 / ln 2 * (artanh(s) - s) / s^3 at s^2: minimax, error 2^-37.3 relative to the logarithm.
  static const float P[] = {0x1.ec709ep-1f, 0x1.277502p-1f, 0x1.aa3dbep-2f};
  u32 exponent = (bits_f(x) - 0x3f5744fd) & 0xff800000; // 2^(-1/4)
  float n = madf((float)(i32)exponent, 0x1p-23f, more), m = from_bits_f(bits_f(x) - exponent);
  int upper = m > 0x1.306fep0f; // 2^(1/4)
  float c = upper ? 0x1.6a13b4p0f : 1.0f;
  n = upper ? n + 0x1.0014p-1f : n;
  float difference = m - c, sum = m + c, sum_low = m - (sum - c);
  float reciprocal = approximate_reciprocal_flushedf(sum), s = difference * reciprocal;
  float s_low = madf(-s, sum_low, madf(-s, sum, difference)) * reciprocal;

  // 2 / ln 2 is 0x1.715476p1 + 0x1.4ae0cp-25.
  float nearest = s + s_low, square = nearest * nearest, high = s * 0x1.715476p1f;
  float low = madf(s, 0x1.715476p1f, -high);
  low = madf(s_low, 0x1.715476p1f, madf(s, 0x1.4ae0cp-25f, low));
  low = madf(POLYNOMIALF(square, P), square * nearest, low);
  pairf main = fast_two_sumf(n, high);
  return fast_two_sumf(main.high, main.low + low);
}

// |x|^y for all but NaN.
PRIVATE float power_of_sizef(float size, float y) {
  int small = size < 0x1p-126f;
  float normal = small ? size * 0x1p23f : size;
  pairf logarithm = binary_logarithmf(normal, small ? -23.0f : 0.0f);
  // The instruction gives the infinite logarithms.
  float log_high = bits_f(normal) - 1 < 0x7f7fffff ? logarithm.high : approximate_log2_flushedf(normal);

  // The exponent is high + low = 2 m + f. Where it is too great for a result that is finite and not 0, high is less, and
  // the rest is in f, whose power is infinite or 0.
  y = lesserf(greaterf(y, -0x1p100f), 0x1p100f);
  float high = lesserf(greaterf(y * log_high, -192.0f), 192.0f);
  float low = madf(y, log_high, -high);
  low = madf(y, logarithm.low, low);
  float shifted = madf(high, 0.5f, EXPONENT_ROUNDER), m = shifted - EXPONENT_ROUNDER;
  float f = madf(m, -2.0f, high) + low;
  return times_square_of_power(approximate_exp2_flushedf(f), shifted);
}

// Special values as C's annex F (F.10.4.5) says.
PUBLIC float powf(float x, float y) {
  float size = __builtin_fabsf(x), result = power_of_sizef(size, y);
  if (bits_f(x) >> 31) {
    float half = y * 0.5f;
    int integer = __builtin_rintf(y) == y, odd = integer && __builtin_rintf(half) != half;
    result = odd ? -result : result;
    result = x < 0.0f && size < INFINITYF && !integer ? NANF : result;
  }
  return x == 1.0f || y == 0.0f ? 1.0f : x != x || y != y ? x + y : result;
}
