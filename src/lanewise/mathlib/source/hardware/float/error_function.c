// SPDX-License-Identifier: Apache-2.0
// erfcf.
#include "hardware/instructions.h"
#include "hardware/float/powers_of_two.h"

// e^(-x^2) erfcx(x) for x >= 0. The second factor is a polynomial over 1 + 2 x, after Shepherd and Laframboise, Chebyshev
// approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf (Mathematics of Computation 36, 1981), in u - 1/2 for
// u = x / (x + 3).
PUBLIC float erfcf(float x) {
  // ((1 + 2 x) erfcx(x) - 1) / u: minimax up to x = 10.5, error 2^-27.0 relative to (1 + 2 x) erfcx(x).
  static const float P[] = {0x1.03148cp-1f, -0x1.8df4cep0f, 0x1.5d407ep1f, -0x1.b0fdbep1f, 0x1.79773ep1f,
                            -0x1.86bp0f,    0x1.3585d2p-8f, 0x1.462f2ep-1f, -0x1.ff9cdp-3f, -0x1.00ab3cp-2f};
  // (e^r - 1) / r for |r| <= 0.3475: minimax, error 2^-28.2 relative to e^r.
  static const float E[] = {1.0f, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558bcp-5f, 0x1.1239ep-7f, 0x1.6a41f4p-10f};
  float size = lesserf(__builtin_fabsf(x), 10.5f);
  // -x^2 = n * ln 2 + r, with both parts of the square and of ln 2. The power of n, which is at least -160, is kept 2^64
  // times as great, so that it is normal.
  float square = size * size, square_low = madf(size, size, -square);
  float shifted = madf(square, -0x1.715476p0f, EXPONENT_ROUNDER + 64.0f), n = shifted - (EXPONENT_ROUNDER + 64.0f);
  float r = madf(n, 0x1.05c61p-29f, madf(n, -0x1.62e43p-1f, -square) - square_low);
  float power = madf(POLYNOMIALF(r, E), r, 1.0f);

  float u = size * approximate_reciprocal_flushedf(size + 3.0f);
  float above = madf(POLYNOMIALF(u - 0.5f, P), u, 1.0f), below = madf(size, 2.0f, 1.0f);
  float reciprocal = approximate_reciprocal_flushedf(below), quotient = above * reciprocal;
  quotient = madf(madf(-quotient, below, above), reciprocal, quotient);

  float tail = quotient * power * from_bits_f(bits_f(shifted) << 23) * 0x1p-64f;
  return x < 0.0f ? 2.0f - tail : tail;
}
