// SPDX-License-Identifier: Apache-2.0
// powf, powrf, pownf, rootnf: 2^(y * log2(x)).
//
// The result has the error of y * log2(x), which may be 128, times ln 2: the binary logarithm is computed to 2^-33 of
// itself, as a sum of two floats. Products are exact where it matters, with fused operations and without, because their
// factors are heads of 12 bits. Source: K. C. Ng's pow in fdlibm (Sun Microsystems, 1993), its method in floats.
// Measured: 1.45 ulp, 1.72 without fused operations.
#include "float/exponential.h"
#include "float/head.h"
#include "float/logarithm.h"
#include "reciprocal.h"

// log2(x) for positive finite x. The sum's low part is up to 2^-11 of the high part.
//
// x = 2^n * m with m from 2^(-1/4) to 2^(3/4), and with c near 1 or the square root of 2,
//   log2(m) = log2(c) + 2 / ln 2 * artanh(s),  s = (m - c) / (m + c),  |s| <= 0.0866.
// The c near the root is the float whose logarithm is nearest to a multiple of 2^-16 (it differs by 2^-35.3).
PRIVATE pairf binary_logarithmf(float x) {
  const u32 least = 0x3f5744fd, middle = 0x3f9837f0; // 2^(-1/4), 2^(1/4)
  int denormal = x < 0x1p-126f;
  u32 above = bits_f(denormal ? x * 0x1p23f : x) - least, in_binade = above & 0x7fffff;
  int upper = in_binade > middle - least;
  float n = (float)(((i32)above >> 23) - (denormal ? 23 : 0));
  float m = from_bits_f(in_binade + least), c = upper ? 0x1.6a13b4p0f : 1.0f;
  n += upper ? 0x1.0014p-1f : 0.0f;

  // s = s_high + s_low: the quotient's head, and what remains of the division with it, divided.
  float difference = m - c, sum = m + c, reciprocal = reciprocalf(sum);
  float s = difference * reciprocal, s_high = headf(s);
  float sum_high = headf(sum), sum_low = m - (sum_high - c);
  float s_low = (difference - s_high * sum_high - s_high * sum_low) * reciprocal;

  // 2 / ln 2 * (artanh(s) - s) / s^3 as a polynomial in s^2: minimax, error 2^-37.3 relative to artanh(s).
  float square = s * s;
  float p = madf(madf(0x1.aa3dbep-2f, square, 0x1.277502p-1f), square, 0x1.ec709ep-1f);
  // 2 / ln 2 = 0x1.716p1 + -0x1.7135a8p-12
  float low = madf(s_high, -0x1.7135a8p-12f, madf(s_low, 0x1.715476p1f, s * square * p));
  pairf main = fast_two_sumf(n, s_high * 0x1.716p1f);
  return (pairf){main.high, main.low + low};
}

// 2^r = 1 + r * p(r): minimax for |r| <= 0.65, error 2^-31.1 relative to 2^r. By Estrin's scheme.
PRIVATE float wide_exp2_near_zerof(float r) {
  float square = r * r;
  float p = madf(0x1.fb60ap-17f, square, madf(0x1.4537ecp-13f, r, 0x1.5d9148p-10f));
  p = madf(p, square, madf(0x1.3b28bp-7f, r, 0x1.c6b07cp-5f));
  p = madf(p, square, madf(0x1.ebfbe2p-3f, r, 0x1.62e43p-1f));
  return madf(p, r, 1.0f);
}

// x^(y.high + y.low) for positive finite x, where y.high is a head and y is at most 2^32: a greater power of any float
// but 1 is 0 or infinite.
PRIVATE float positive_powerf(float x, pairf y) {
  pairf logarithm = binary_logarithmf(x);
  float head = headf(logarithm.high), tail = (logarithm.high - head) + logarithm.low;
  // The exponent is high + low, where |low| < 2^-10 * |high|. The integer is that next to high, which is known early.
  // Clamped ones give 0 or infinity; 0 as a product of 0, since to round another number to it takes processors long.
  static const float LEAST = -151.0f;
  float exponent = y.high * head, high = clampf(exponent, LEAST, 129.0f), shifted = high + ROUNDER_F;
  float low = madf(y.high, tail, y.low * (head + tail));
  float r = (high - (shifted - ROUNDER_F)) + (high == exponent ? low : 0.0f), power = wide_exp2_near_zerof(r);
  return __lw_scale_by_power_of_twof(exponent <= LEAST ? 0.0f : power, shifted);
}

PRIVATE pairf splitf(float x) {
  float head = headf(x);
  return (pairf){head, x - head};
}

PRIVATE int positive_and_finitef(float x) { return bits_f(x) - 1 < 0x7f7fffff; }

// The power of a positive number, or where that is 0 or infinite, the limit; y is not 0. NaN gives any number.
PRIVATE float power_of_sizef(float size, pairf y, int y_negative) {
  float power = positive_powerf(size, y), limit = (size == 0.0f) == y_negative ? INFINITYF : 0.0f;
  return positive_and_finitef(size) ? power : limit;
}

PRIVATE float signed_powerf(int odd, float size, float x) {
  return from_bits_f(bits_f(size) | (odd ? bits_f(x) & 0x80000000 : 0));
}

PUBLIC float powf(float x, float y) {
  float size = __builtin_fabsf(x), half = y * 0.5f;
  int integer = __builtin_rintf(y) == y, odd = integer && __builtin_rintf(half) != half;
  int regular = positive_and_finitef(size);
  float result = power_of_sizef(size, splitf(clampf(y, -0x1p32f, 0x1p32f)), y < 0.0f);
  result = signed_powerf(odd, result, x);
  int undefined = (regular && x < 0.0f && !integer) || x != x || y != y;
  result = undefined ? NANF : result;
  return x == 1.0f || y == 0.0f ? 1.0f : result;
}

// OpenCL: the power of a number that isn't negative, undefined where different limits meet.
PUBLIC float powrf(float x, float y) {
  int regular = positive_and_finitef(x);
  float result = power_of_sizef(__builtin_fabsf(x), splitf(clampf(y, -0x1p32f, 0x1p32f)), y < 0.0f);
  result = y == 0.0f ? 1.0f : result;
  int undefined = (y == 0.0f && !regular) || (x == 1.0f && __builtin_fabsf(y) == INFINITYF);
  return x >= 0.0f && y == y && !undefined ? result : NANF;
}

// An integer as a head and a tail, exactly: as unsigned, and where it has more than 24 bits, its last 8 for themselves.
PRIVATE pairf split_integerf(int n) {
  u32 size = n < 0 ? 0u - (u32)n : (u32)n;
  u32 last = size >> 24 ? size & 0xff : 0;
  pairf parts = splitf((float)(size - last));
  parts.low += (float)last;
  return (pairf){n < 0 ? -parts.high : parts.high, n < 0 ? -parts.low : parts.low};
}

PUBLIC float pownf(float x, int n) {
  float result = signed_powerf(n & 1, power_of_sizef(__builtin_fabsf(x), split_integerf(n), n < 0), x);
  result = x != x ? x : result;
  return n == 0 ? 1.0f : result;
}

// The power 1 / n, with what the quotient lacks. Beyond n = 2^12, where the product is rounded, that is nothing.
PUBLIC float rootnf(float x, int n) {
  float divisor = (float)n, reciprocal = 1.0f / divisor;
  pairf y = splitf(reciprocal);
  y.low = madf(-y.high, divisor, 1.0f) * reciprocal;
  float result = signed_powerf(n & 1, power_of_sizef(__builtin_fabsf(x), y, n < 0), x);
  result = x < 0.0f && !(n & 1) ? NANF : result;
  result = x != x ? x : result;
  return n == 0 ? NANF : result;
}
