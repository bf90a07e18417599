// SPDX-License-Identifier: Apache-2.0
// erff, erfcf, erfcxf, normcdff.
//
// All but erff come from two factors that are smooth for x >= 0, and which are pairs but for erfcf, so that only the
// last operation rounds visibly: e^(-x^2), whose exponent is squared exactly, and erfcx(x) = e^(x^2) erfc(x). The
// argument of the latter's polynomial is a fraction that maps [0, inf] to [0, 1], after Shepherd and Laframboise,
// Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf (Mathematics of Computation 36, 1981).
#include "float/exponential.h"

// From here on, erfcx(x) is 1/(sqrt(pi) x).
#define ASYMPTOTIC_F 0x1p30f

// erfcx(x.high + x.low) for x >= 0.
PRIVATE pairf scaled_complementf(pairf x) {
  // ((1 + 2x) erfcx(x) - 1) / u at u = t + 1/2 = x / (x + 3): minimax, error 2^-26.5 relative to (1 + 2x) erfcx(x),
  // which lies between 1 and 1.2875.
  static const float P[] = {
      0x1.03148cp-1f,  -0x1.8df4cap0f, 0x1.5d4098p1f,  -0x1.b0fe9cp1f, 0x1.797172p1f,  -0x1.866d04p0f,
      0x1.0809f2p-7f,  0x1.3e6a9ap-1f, -0x1.20e25cp-2f, -0x1.613adp-3f, 0x1.39450cp-3f,
  };
  float near = x.high > ASYMPTOTIC_F ? ASYMPTOTIC_F : x.high;
  float u = near / (near + 3.0f);
  pairf half = fast_two_sumf(0.5f, 0.5f * u * POLYNOMIALF(u - 0.5f, P)); // (1/2 + x) erfcx(x)
  pairf divisor = two_sumf(0.5f, x.high);
  float reciprocal = 1.0f / divisor.high, quotient = half.high * reciprocal;
  pairf product = two_productf(quotient, divisor.high);
  float remainder = (half.high - product.high) - product.low + (half.low - quotient * (divisor.low + x.low));
  return (pairf){quotient, x.high > ASYMPTOTIC_F ? 0.0f : remainder * reciprocal};
}

// e^x as a pair that is not far from 1, and the power of two to multiply it by, for |x| < 175.
typedef struct {
  pairf value;
  float shifted;
} scaled_exponentialf;

PRIVATE scaled_exponentialf exponential_pairf(pairf x) {
  natural_reduction reduced = reduce_by_ln_2f(x.high);
  pairf linear = fast_two_sumf(1.0f, reduced.near);
  float rest = exponential_restf(reduced.near, reduced.low + x.low);
  return (scaled_exponentialf){fast_two_sumf(linear.high, linear.low + rest), reduced.shifted};
}

// e^(-exponent) complement, rounded once, or twice where it is denormal.
PRIVATE float tailf(pairf exponent, pairf complement) {
  scaled_exponentialf power = exponential_pairf((pairf){-exponent.high, -exponent.low});
  float low = madf(power.value.low, complement.high, power.value.high * complement.low);
  return __lw_scale_by_power_of_twof(madf(power.value.high, complement.high, low), power.shifted);
}

// Two polynomials, and no exponential: erfc is small where the second is used, so that an absolute error is enough.
PUBLIC float erff(float x) {
  // erf(x)/x - 1 at x^2, for |x| <= 1: minimax, error 2^-29.3 relative to erf(x)/x.
  static const float NEAR[] = {
      0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2cf2p-4f, -0x1.b7f88cp-6f, 0x1.540172p-8f, -0x1.a3d812p-11f,
      0x1.4917a4p-14f,
  };
  // erfc(x) at x - 2.5, for x from 1 to 4: minimax, error 2^-30.6.
  static const float FAR[] = {
      0x1.aab86ep-12f, -0x1.1d82e4p-9f, 0x1.64e38ap-8f, -0x1.119ebp-7f, 0x1.1a8b7ap-7f, -0x1.90daeap-8f,
      0x1.6eb054p-9f, -0x1.1d860cp-11f, -0x1.0f61dap-12f, 0x1.09d004p-12f, -0x1.53ecfap-14f, -0x1.05e8f4p-17f,
      0x1.07673ap-16f, -0x1.ce928ep-19f, -0x1.dc8066p-21f, 0x1.76ee74p-22f,
  };
  float size = __builtin_fabsf(x), clamped = size > 4.0f ? 4.0f : size;
  float near = madf(x, POLYNOMIALF(clamped * clamped, NEAR), x);
  float far = __builtin_copysignf(1.0f - POLYNOMIALF(clamped - 2.5f, FAR), x);
  return size < 1.0f ? near : far;
}

// e^(-x^2) erfcx(x) for x >= 0, where the second factor is a float: CUDA allows 4 ulp. The one division is of both
// denominators, that of the polynomial's argument and 1 + 2 x.
PUBLIC float erfcf(float x) {
  // ((1 + 2 x) erfcx(x) - 1) / u at u - 1/2 for u = x / (x + 3): minimax up to x = 10.5, error 2^-26.6 relative to
  // (1 + 2 x) erfcx(x).
  static const float P[] = {0x1.03148cp-1f, -0x1.8df4dp0f,  0x1.5d409ap1f, -0x1.b0fd1cp1f, 0x1.797222p1f,
                            -0x1.86d532p0f, 0x1.becf86p-8f, 0x1.4944aap-1f, -0x1.086516p-2f, -0x1.165be6p-2f};
  float size = __builtin_fabsf(x), clamped = size > 10.5f ? 10.5f : size;
  pairf square = two_productf(clamped, clamped);
  natural_reduction reduced = reduce_by_ln_2f(-square.high);
  float less = reduced.near + exponential_restf(reduced.near, reduced.low - square.low); // e^(-x^2) / 2^n - 1

  float first = clamped + 3.0f, second = madf(clamped, 2.0f, 1.0f);
  float of_both = 1.0f / (first * second), of_second = first * of_both;
  float u = clamped * (second * of_both), above = madf(POLYNOMIALF(u - 0.5f, P), u, 1.0f);
  float quotient = above * of_second;
  quotient = madf(remainder_of_quotientf(above, quotient, second), of_second, quotient);
  float tail = __lw_scale_by_power_of_twof(madf(quotient, less, quotient), reduced.shifted);
  return x < 0.0f ? 2.0f - tail : tail;
}

// For x < 0, 2 e^(x^2) - erfcx(-x). That is infinite where the square is clamped.
PUBLIC float erfcxf(float x) {
  float size = __builtin_fabsf(x), clamped = size > 9.5f ? 9.5f : size;
  pairf complement = scaled_complementf((pairf){size, 0.0f});
  scaled_exponentialf power = exponential_pairf(two_productf(clamped, clamped));
  float high = __lw_scale_by_power_of_twof(2.0f * power.value.high, power.shifted);
  float low = __lw_scale_by_power_of_twof(2.0f * power.value.low, power.shifted);
  return x < 0.0f ? (high - complement.high) + (low - complement.low) : complement.high + complement.low;
}

// The probability that a normally distributed number is less than x: erfc(-x / sqrt(2)) / 2.
PUBLIC float normcdff(float x) {
  static const float SQRT_HALF = 0x1.6a09e6p-1f, SQRT_HALF_LOW = 0x1.9fcef4p-27f;
  float size = __builtin_fabsf(x), clamped = size > 14.5f ? 14.5f : size;
  pairf square = two_productf(clamped, clamped), quotient = two_productf(clamped, SQRT_HALF);
  pairf complement = scaled_complementf((pairf){quotient.high, madf(clamped, SQRT_HALF_LOW, quotient.low)});
  float below = tailf((pairf){0.5f * square.high, 0.5f * square.low},
                      (pairf){0.5f * complement.high, 0.5f * complement.low});
  return x > 0.0f ? 1.0f - below : below;
}
