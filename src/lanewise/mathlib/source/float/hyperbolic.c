// SPDX-License-Identifier: Apache-2.0
// sinhf, coshf, tanhf.
#include "float/exponential.h"
#include "float/head.h"

// (2^n * e^r + sign * 2^-n * e^-r) / 4 for x = n * ln 2 + r from 0 to 89.5 and sign 1 or -1, as
//   (2^n + sign * 2^-n) / 4 * cosh(r) + (2^n - sign * 2^-n) / 4 * sinh(r):
// the terms that cancel, those of e^r = 1 + near + ..., are summed without error.
PRIVATE float half_hyperbolicf(float x, float sign) {
  natural_reduction reduced = reduce_by_ln_2f(x);
  float near = reduced.near, r = near + reduced.low, square = r * r;
  // (cosh(r) - 1) / r^2 and (sinh(r) - r) / r^3 for |r| <= 0.3475: minimax, relative errors 2^-33 and 2^-34.
  float even = madf(madf(0x1.6d4f54p-10f, square, 0x1.5554e6p-5f), square, 0.5f) * square;
  float odd = madf(madf(0x1.a2dd4cp-13f, square, 0x1.110fcp-7f), square, 0x1.555556p-3f);
  odd = madf(odd, square * r, reduced.low);

  u32 shifted = bits_f(reduced.shifted);
  float growing = from_bits_f((shifted + 125) << 23);                           // 2^(n-2)
  float falling = x > 40.0f ? 0.0f : sign * from_bits_f((125 - shifted) << 23); // sign * 2^(-n-2)
  pairf constant = fast_two_sumf(growing, falling);
  pairf main = fast_two_sumf(constant.high, growing * near);
  pairf whole = fast_two_sumf(main.high, -falling * near);
  float rest = madf(growing - falling, odd, whole.low + (main.low + constant.low));
  return whole.high + madf(constant.high, even, rest);
}

PUBLIC float sinhf(float x) {
  float size = __builtin_fabsf(x);
  float result = __builtin_copysignf(2.0f * half_hyperbolicf(clampf(size, 0.0f, 89.5f), -1.0f), x);
  return size < 0x1p-12f ? x : result;
}

PUBLIC float coshf(float x) { return 2.0f * half_hyperbolicf(clampf(__builtin_fabsf(x), 0.0f, 89.5f), 1.0f); }

// (e^(2 * x) - 1) / (e^(2 * x) + 1), both halved; divided by way of the quotient's head, whose product with the
// divisor's head is exact.
PUBLIC float tanhf(float x) {
  float size = __builtin_fabsf(x);
  natural_reduction reduced = reduce_by_ln_2f(2.0f * clampf(size, 0.0f, 10.0f));
  pairf less = half_exponential_plusf(reduced, -0.5f), more = half_exponential_plusf(reduced, 0.5f);
  float more_head = headf(more.high), more_tail = (more.high - more_head) + more.low;
  float reciprocal = 1.0f / more.high, quotient = headf(less.high * reciprocal);
  float remainder = (less.high - quotient * more_head) - quotient * more_tail + less.low;
  float result = __builtin_copysignf(madf(remainder, reciprocal, quotient), x);
  return size < 0x1p-13f ? x : result;
}
