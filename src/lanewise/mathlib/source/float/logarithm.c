// SPDX-License-Identifier: Apache-2.0
// logf, log2f, log10f, log1pf.
//
// The logarithm of 2^n * (1 + f) is n units and the logarithm of 1 + f, whose leading terms are summed without error.
#include "float/head.h"
#include "float/logarithm.h"

PUBLIC float logf(float x) {
  pairf logarithm = natural_logarithmf(x);
  return logarithm_or_edgef(x, logarithm.high + logarithm.low);
}

// ln(1 + f) * (factor_high + factor_low), the second factor in 12 bits and the rest. The high part is exact, and so is
// the difference of the series' first two terms that it comes from: with f = head + tail, f^2 is head^2, exactly, and
// (f + head) * tail, which is small.
PRIVATE pairf scaled_logarithmf(float f, float factor_high, float factor_low) {
  float head = headf(f), tail = f - head;
  pairf leading = fast_two_sumf(f, -0.5f * head * head);
  float rest = leading.low + madf((f + head) * tail, -0.5f, f * f * f * logarithm_cubic_termsf(f));
  float leading_head = headf(leading.high);
  float low = madf(leading.high, factor_low, (leading.high - leading_head) * factor_high);
  return (pairf){leading_head * factor_high, madf(rest, factor_high + factor_low, low)};
}

PUBLIC float log2f(float x) {
  binary_partsf parts = binary_partsf_of(x);
  pairf part = scaled_logarithmf(parts.fraction, 0x1.716p0f, -0x1.7135a8p-13f);
  pairf main = fast_two_sumf((float)parts.exponent, part.high);
  return logarithm_or_edgef(x, main.high + (main.low + part.low));
}

PUBLIC float log10f(float x) {
  binary_partsf parts = binary_partsf_of(x);
  float n = (float)parts.exponent;
  pairf part = scaled_logarithmf(parts.fraction, 0x1.bccp-2f, -0x1.09d5b2p-15f);
  pairf main = fast_two_sumf(n * LOG10_2_HIGH_F, part.high);
  return logarithm_or_edgef(x, main.high + (main.low + madf(n, LOG10_2_LOW_F, part.low)));
}

PUBLIC float log1pf(float x) {
  float logarithm = __builtin_copysignf(log1p_of_pairf(x, 0.0f), x);
  float edge = x < -1.0f ? NANF : x; // infinity and NaN stay
  edge = x == -1.0f ? -INFINITYF : edge;
  return x > -1.0f && x < INFINITYF ? logarithm : edge;
}
