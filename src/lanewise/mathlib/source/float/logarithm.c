// SPDX-License-Identifier: Apache-2.0
// logf, log2f, log10f, log1pf.
//
// The logarithm of 2^n * (1 + f) is n units and the logarithm of 1 + f, whose leading terms are summed without error.
#include "float/logarithm.h"

PUBLIC float logf(float x) {
  pairf logarithm = natural_logarithmf(x);
  return logarithm_or_edgef(x, logarithm.high + logarithm.low);
}

// ln(1 + f) / ln(2). Without error are f - f^2 / 2, the pair `leading` less half of square.low, and `product`, of its
// high part and that of the factor.
PRIVATE pairf binary_logarithm_partf(float f) {
  const pairf factor = {0x1.715476p0f, 0x1.4ae0cp-26f};
  pairf square = two_productf(f, f), leading = fast_two_sumf(f, -0.5f * square.high);
  float rest = madf(square.high * f, logarithm_cubic_termsf(f), madf(square.low, -0.5f, leading.low));
  pairf product = two_productf(leading.high, factor.high);
  return (pairf){product.high, madf(rest, factor.high, madf(leading.high, factor.low, product.low))};
}

PUBLIC float log2f(float x) {
  binary_partsf parts = binary_partsf_of(x);
  pairf part = binary_logarithm_partf(parts.fraction);
  pairf main = fast_two_sumf((float)parts.exponent, part.high);
  return logarithm_or_edgef(x, main.high + (main.low + part.low));
}

// ln(1 + f) / ln(10), less exactly: CUDA allows 2 ulp. The high part is that of f / ln(10), exactly; what f^2 loses
// when it is rounded counts in the series' second term alone.
PRIVATE pairf decimal_logarithm_partf(float f) {
  const pairf factor = {0x1.bcb7b2p-2f, -0x1.5b235ep-27f};
  pairf leading = two_productf(f, factor.high), square = two_productf(f, f);
  float low = madf(square.low, -0.5f * factor.high, madf(f, factor.low, leading.low));
  float rest = square.high * madf(f, logarithm_cubic_termsf(f), -0.5f);
  return (pairf){leading.high, madf(rest, factor.high, low)};
}

PUBLIC float log10f(float x) {
  binary_partsf parts = binary_partsf_of(x);
  float n = (float)parts.exponent;
  pairf part = decimal_logarithm_partf(parts.fraction);
  pairf main = fast_two_sumf(n * LOG10_2_HIGH_F, part.high);
  return logarithm_or_edgef(x, main.high + (main.low + madf(n, LOG10_2_LOW_F, part.low)));
}

PUBLIC float log1pf(float x) {
  float logarithm = __builtin_copysignf(log1p_of_pairf(x, 0.0f), x);
  float edge = x < -1.0f ? NANF : x; // infinity and NaN stay
  edge = x == -1.0f ? -INFINITYF : edge;
  return x > -1.0f && x < INFINITYF ? logarithm : edge;
}
