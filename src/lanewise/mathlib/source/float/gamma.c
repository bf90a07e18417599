// SPDX-License-Identifier: Apache-2.0
// The gamma function and its logarithm, in doubles, since they are rare.
#include "arithmetic.h"

double lgamma_r(double x, int *sign);

PUBLIC float lgammaf_r(float x, int *sign) { return (float)lgamma_r(x, sign); }

PUBLIC float lgammaf(float x) {
  int sign;
  return (float)lgamma_r(x, &sign);
}

// Gamma(x) = (x - 1) Gamma(x - 1) leads to the interval from 1 to 2, from at most 44 away: beyond, the result is 0 or
// infinite. Doubles hold x plus an integer exactly wherever it matters, and 44 products to 2^-47. The polynomial is
// minimax on that interval for a relative error of 2^-32.
PUBLIC float tgammaf(float x) {
  static const double GAMMA[] = {
      0x1.c5bf891bc3325p-1, 0x1.08ea8af43f9f7p-5, 0x1.a8c4da72e5b13p-2, -0x1.b77b3365f37efp-4, 0x1.283c5a70c8d8ap-3,
      -0x1.3d7aacbec0ae0p-4, 0x1.dff5c974e21bbp-5, -0x1.38ce241bc63ddp-5, 0x1.aae52a9a06fc7p-6, -0x1.06dcba5ee37fap-6,
      0x1.54876e116d1f3p-7, -0x1.6f48c62ae2fc2p-7, 0x1.0423f356f78cep-7,
  };
  double at = x > 44 ? 44 : x < -44 ? -44.5 : x, above = 1, below = 1;
  for (; at >= 2; above *= at)
    at -= 1;
  for (; at < 1; at += 1)
    below *= at;
  float result = (float)(POLYNOMIAL(at - 1.5, GAMMA) * above / below);
  float floor = __builtin_floorf(x);
  result = x < 0 && floor != 2 * __builtin_floorf(0.5f * x) ? -__builtin_fabsf(result) : __builtin_fabsf(result);
  result = x == 0 ? 1 / x : result;
  return (x < 0 && floor == x) || x != x ? NANF : result;
}
