// SPDX-License-Identifier: Apache-2.0
// hypotf, norm3df, norm4df, normf, and their reciprocals rhypotf, rnorm3df, rnorm4df, rnormf.
//
// The greatest element is brought near 1 by a power of two, so that no square overflows, and none that counts is lost.
// Squares are exact and their sum is compensated: but for its last rounding it is right, however many terms it has.
#include "arithmetic.h"

// The sum of the squares of some numbers times factor, where 1 / factor is a power of two too.
typedef struct {
  float sum, factor, inverse;
  int infinite; // one of the numbers is, whatever the others are
} squaresf;

// Without branches where count is a constant.
PRIVATE squaresf sum_of_squaresf(const float *numbers, i32 count) {
  u32 greatest = 0;
  int infinite = 0;
  for (i32 i = 0; i < count; i++) {
    u32 size = bits_f(numbers[i]) & 0x7fffffff;
    greatest = size > greatest ? size : greatest;
    infinite |= size == 0x7f800000;
  }
  // Its power of two, as far as that and its inverse are normal.
  u32 exponent = greatest & 0x7f800000, least = 24u << 23, most = 252u << 23;
  exponent = exponent < least ? least : exponent;
  exponent = exponent > most ? most : exponent;
  float factor = from_bits_f((254u << 23) - exponent);

  pairf sum = {0.0f, 0.0f};
  for (i32 i = 0; i < count; i++) {
    float number = numbers[i] * factor;
    pairf square = two_productf(number, number), next = two_sumf(sum.high, square.high);
    sum = (pairf){next.high, sum.low + (next.low + square.low)};
  }
  return (squaresf){sum.high + sum.low, factor, from_bits_f(exponent), infinite};
}

PRIVATE float rootf(squaresf squares) {
  return squares.infinite ? INFINITYF : __builtin_sqrtf(squares.sum) * squares.inverse;
}
PRIVATE float reciprocal_rootf(squaresf squares) {
  return squares.infinite ? 0.0f : 1.0f / __builtin_sqrtf(squares.sum) * squares.factor;
}

PRIVATE squaresf squares_of_2f(float x, float y) { return sum_of_squaresf((float[]){x, y}, 2); }
PRIVATE squaresf squares_of_3f(float x, float y, float z) { return sum_of_squaresf((float[]){x, y, z}, 3); }
PRIVATE squaresf squares_of_4f(float x, float y, float z, float w) {
  return sum_of_squaresf((float[]){x, y, z, w}, 4);
}

PUBLIC float hypotf(float x, float y) { return rootf(squares_of_2f(x, y)); }
PUBLIC float rhypotf(float x, float y) { return reciprocal_rootf(squares_of_2f(x, y)); }

PUBLIC float norm3df(float x, float y, float z) { return rootf(squares_of_3f(x, y, z)); }
PUBLIC float rnorm3df(float x, float y, float z) { return reciprocal_rootf(squares_of_3f(x, y, z)); }

PUBLIC float norm4df(float x, float y, float z, float w) { return rootf(squares_of_4f(x, y, z, w)); }
PUBLIC float rnorm4df(float x, float y, float z, float w) { return reciprocal_rootf(squares_of_4f(x, y, z, w)); }

PUBLIC float normf(int n, const float *numbers) { return rootf(sum_of_squaresf(numbers, n)); }
PUBLIC float rnormf(int n, const float *numbers) { return reciprocal_rootf(sum_of_squaresf(numbers, n)); }
