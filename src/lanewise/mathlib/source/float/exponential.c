// SPDX-License-Identifier: Apache-2.0
// expf, exp2f, exp10f, expm1f.
//
// The argument is n steps of the base's logarithm of 2 and a remainder r; a polynomial gives the power of r, and n goes
// into the exponent. Arguments are clamped to where the result is 0 or infinite, so that overflow and denormal results
// come from the last multiplication; NaN passes through everything. Below them it multiplies 0: to round another number
// to 0 takes processors fourteen times as long as all the rest.
#include "float/exponential.h"

// e^r = 1 + r + r^2 * p(r): minimax for |r| <= 0.3474, error 2^-28.2 relative to e^r.
PUBLIC float expf(float x) {
  static const float LEAST = -104.0f;
  natural_reduction reduced = reduce_by_ln_2f(clampf(x, LEAST, 89.0f));
  float r = reduced.near + reduced.low, square = r * r;
  float p = madf(0x1.1239d2p-7f, r, 0x1.5558bcp-5f), q = madf(0x1.555492p-3f, r, 0x1.fffffcp-2f);
  p = madf(madf(0x1.6a4198p-10f, square, p), square, q);
  float power = 1.0f + (reduced.near + madf(square, p, reduced.low));
  return __lw_scale_by_power_of_twof(x < LEAST ? 0.0f : power, reduced.shifted);
}

PUBLIC float exp2f(float x) {
  static const float LEAST = -151.0f;
  float clamped = clampf(x, LEAST, 129.0f), shifted = clamped + ROUNDER_F;
  float power = exp2_near_zerof(clamped - (shifted - ROUNDER_F));
  return __lw_scale_by_power_of_twof(x < LEAST ? 0.0f : power, shifted);
}

// 10^r = 1 + r * p(r): minimax for |r| <= 0.1509, error 2^-28.4 relative to 10^r.
PUBLIC float exp10f(float x) {
  static const float LEAST = -46.0f;
  float clamped = clampf(x, LEAST, 39.0f), shifted = madf(clamped, LOG2_10_F, ROUNDER_F);
  float n = shifted - ROUNDER_F;
  float r = madf(n, -LOG10_2_LOW_F, madf(-n, LOG10_2_HIGH_F, clamped));
  float square = r * r;
  float p = madf(madf(0x1.a63632p-3f, r, 0x1.156a7ep-1f), square, madf(0x1.2bda04p0f, r, 0x1.046f9cp1f));
  p = madf(p, square, madf(0x1.53524ap1f, r, 0x1.26bb1cp1f));
  return __lw_scale_by_power_of_twof(x < LEAST ? 0.0f : madf(p, r, 1.0f), shifted);
}

PUBLIC float expm1f(float x) {
  float result = 2.0f * half_exponential_plusf(reduce_by_ln_2f(clampf(x, -18.0f, 89.0f)), -0.5f).high;
  return __builtin_fabsf(x) < 0x1p-25f ? x : result;
}
