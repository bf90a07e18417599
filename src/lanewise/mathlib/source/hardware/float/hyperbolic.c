// SPDX-License-Identifier: Apache-2.0
// sinhf, coshf, tanhf.
#include "hardware/float/natural_exponential.h"

// e^x / 2 for x >= 0, infinite where that is no float; NaN stays.
PRIVATE float half_exponentialf(float x) {
  natural_partsf parts = natural_parts_of(lesserf(x, 90.0f));
  return times_square_of_power(madf(0.5f * parts.r, POLYNOMIALF(parts.r, EXPONENTIAL_P), 0.5f), parts.shifted);
}

// e^x / 2 - 1 / (2 e^x), or up to 1 an odd polynomial: (sinh(x) / x - 1) / x^2 at x^2, minimax, error 2^-25.3 relative to
// sinh(x).
PUBLIC float sinhf(float x) {
  static const float P[] = {0x1.555598p-3f, 0x1.10f768p-7f, 0x1.ab3fdp-13f};
  float size = __builtin_fabsf(x), square = size * size;
  float near = madf(POLYNOMIALF(square, P) * square, size, size);
  float half = half_exponentialf(size), far = madf(approximate_reciprocal_flushedf(half), -0.25f, half);
  return __builtin_copysignf(size < 1.0f ? near : far, x);
}

PUBLIC float coshf(float x) {
  float half = half_exponentialf(__builtin_fabsf(x));
  return madf(approximate_reciprocal_flushedf(half), 0.25f, half);
}

// Up to 1, an odd polynomial: (tanh(x) / x - 1) / x^2 at x^2, minimax, error 2^-27.7 relative to tanh(x). Beyond,
// 1 - 2 / (e^(2 x) + 1), whose second term is at most a quarter, so that what the instructions lose of it is 1.7 ulp.
PUBLIC float tanhf(float x) {
  static const float P[] = {-0x1.55553cp-2f, 0x1.110be4p-3f, -0x1.b96242p-5f, 0x1.600a0ap-6f,
                            -0x1.0461b2p-7f, 0x1.2da6bep-9f, -0x1.77df94p-12f};
  float size = __builtin_fabsf(x), square = x * x;
  float near = madf(POLYNOMIALF(square, P) * square, x, x);
  float power = approximate_exp2_flushedf(size * 0x1.715476p1f);
  float far = madf(approximate_reciprocal_flushedf(power + 1.0f), -2.0f, 1.0f);
  return __builtin_copysignf(size < 1.0f ? near : far, x);
}
