// SPDX-License-Identifier: Apache-2.0
// sinhf, coshf, tanhf.
#include "float/exponential.h"

// sinh(r) and cosh(r) - 1 for x = n * ln 2 + r from 0 to 89.5, and (2^n + 2^-n) / 4 and (2^n - 2^-n) / 4, of which
// sinh(x) / 2 and cosh(x) / 2 are sums of products.
typedef struct {
  float sine, cosine, sum, difference;
} hyperbolic_partsf;

PRIVATE hyperbolic_partsf hyperbolic_parts_of(float x) {
  natural_reduction reduced = reduce_by_ln_2f(x);
  float r = reduced.near + reduced.low, square = r * r;
  // (cosh(r) - 1) / r^2 and (sinh(r) - r) / r^3 for |r| <= 0.3475: minimax, relative errors 2^-33 and 2^-34.
  float even = madf(madf(0x1.6d4f54p-10f, square, 0x1.5554e6p-5f), square, 0.5f);
  float odd = madf(madf(0x1.a2dd4cp-13f, square, 0x1.110fcp-7f), square, 0x1.555556p-3f);

  u32 shifted = bits_f(reduced.shifted);
  float growing = from_bits_f((shifted + 125) << 23);                    // 2^(n-2)
  float falling = x > 40.0f ? 0.0f : from_bits_f((125 - shifted) << 23); // 2^(-n-2)
  return (hyperbolic_partsf){madf(odd, square * r, r), even * square, growing + falling, growing - falling};
}

// Where r < 0, terms cancel: what rounding the sine loses counts up to 1.3 times where n is 1, and 0.6 times where n
// is 2. The coefficients are exact for n <= 11.
PUBLIC float sinhf(float x) {
  float size = __builtin_fabsf(x);
  hyperbolic_partsf of = hyperbolic_parts_of(size > 89.5f ? 89.5f : size);
  float half = of.difference + madf(of.difference, of.cosine, of.sum * of.sine);
  return size < 0x1p-12f ? x : __builtin_copysignf(2.0f * half, x);
}

PUBLIC float coshf(float x) {
  float size = __builtin_fabsf(x);
  hyperbolic_partsf of = hyperbolic_parts_of(size > 89.5f ? 89.5f : size);
  return 2.0f * (of.sum + madf(of.sum, of.cosine, of.difference * of.sine));
}

// From here on, tanh(x) is above 1/2: what is subtracted from 1 is less than the result, and its error counts less.
#define TANH_ABOVE_HALF_F 0.55f

// With p = e^(-2 * |x|), it is (1 - p) / (1 + p), or where p is small, 1 - 2 * p / (1 + p).
PUBLIC float tanhf(float x) {
  float size = __builtin_fabsf(x);
  natural_reduction reduced = reduce_by_ln_2f(-2.0f * (size > 10.0f ? 10.0f : size));
  float scale = from_bits_f((bits_f(reduced.shifted) + 127) << 23);
  float less = reduced.near + exponential_restf(reduced.near, reduced.low); // p / scale - 1
  int p_is_small = size > TANH_ABOVE_HALF_F;
  float dividend = madf(scale, less, p_is_small ? scale : scale - 1.0f);
  float divisor = madf(scale, less, scale + 1.0f);
  float quotient = (p_is_small ? dividend + dividend : dividend) / divisor;
  return __builtin_copysignf((p_is_small ? 1.0f : 0.0f) - quotient, x);
}
