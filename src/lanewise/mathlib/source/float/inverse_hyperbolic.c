// SPDX-License-Identifier: Apache-2.0
// asinhf, acoshf, atanhf: as logarithms of 1 and a sum of two floats.
#include "float/head.h"
#include "float/logarithm.h"
#include "reciprocal.h"

// Above it, 1 in x^2 + 1 doesn't count, and asinh(x) and acosh(x) are ln(2 * x).
#define GREAT_F 0x1p25f

// ln(1 + high + low), or where x is great, ln(2 * x).
PRIVATE float log1p_or_greatf(float x, float high, float low) {
  int great = x > GREAT_F;
  float logarithm = log1p_of_pairf(great ? x : high, great ? 0.0f : low);
  return great ? logarithm + (LN_2_HIGH_F + LN_2_LOW_F) : logarithm;
}

// ln(1 + x + x^2 / (1 + sqrt(1 + x^2))).
PUBLIC float asinhf(float x) {
  float size = __builtin_fabsf(x), square = size > GREAT_F ? 1.0f : size * size;
  pairf sum = fast_two_sumf(size, square / (1.0f + __builtin_sqrtf(1.0f + square)));
  float result = log1p_or_greatf(size, sum.high, sum.low);
  return size < INFINITYF ? __builtin_copysignf(result, x) : x;
}

// ln(1 + t + sqrt(2 * t + t^2)), t = x - 1.
PUBLIC float acoshf(float x) {
  float t = x - 1.0f, root = __builtin_sqrtf(madf(t, t, 2.0f * t));
  pairf sum = two_sumf(t, root);
  float result = log1p_or_greatf(x, sum.high, sum.low);
  result = x < INFINITYF ? result : x;
  return x < 1.0f ? NANF : result;
}

// ln(1 + 2 * x / (1 - x)) / 2.
PUBLIC float atanhf(float x) {
  float size = __builtin_fabsf(x);
  pairf divisor = fast_two_sumf(1.0f, -size);
  float divisor_head = headf(divisor.high), divisor_tail = (divisor.high - divisor_head) + divisor.low;
  float reciprocal = reciprocalf(divisor.high), quotient = headf(size * reciprocal);
  float remainder = (size - quotient * divisor_head) - quotient * divisor_tail;
  pairf sum = fast_two_sumf(2.0f * quotient, 2.0f * remainder * reciprocal);
  float result = 0.5f * log1p_of_pairf(sum.high, sum.low);
  result = size == 1.0f ? INFINITYF : result;
  result = size > 1.0f ? NANF : result;
  return __builtin_copysignf(result, x);
}
