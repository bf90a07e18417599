// SPDX-License-Identifier: Apache-2.0
// The gamma function and its logarithm.
//
// From 8 on, both come of Stirling's series, and log(Gamma(x)) is kept to some 64 bits. Below 8, Gamma(x) =
// Gamma(x + n) / (x (x + 1) ... (x + n - 1)), where the product is kept to twice the precision, while the logarithm,
// which has zeros at 1 and 2, comes of a polynomial about 2. Negative arguments are reflected:
// Gamma(-x) = -pi / (x sin(pi x) Gamma(x)).
#include "double/circle.h"
#include "double/exponential.h"
#include "double/logarithm_pair.h"

static const pair PI = {0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};
static const pair HALF_LOG_2PI = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
static const pair LOG_PI = {0x1.250d048e7a1bdp0, 0x1.7abf2ad8d5088p-57};

PRIVATE pair sum_of_pairs(pair x, pair y) {
  pair sum = two_sum(x.high, y.high);
  return fast_two_sum(sum.high, sum.low + (x.low + y.low));
}

PRIVATE pair product_of_pairs(pair x, pair y) {
  pair product = two_product(x.high, y.high);
  return fast_two_sum(product.high, product.low + mad(x.high, y.low, x.low * y.high));
}

// log(x) where the low part counts too.
PRIVATE pair logarithm_of_pair(pair x) {
  pair result = logarithm_pair(x.high);
  return fast_two_sum(result.high, result.low + x.low / x.high);
}

// log(Gamma(x)) for 8 <= x.high < 2^60, with log_x that of x.high, as
// (x - 1/2) log(x) - x + log(2 pi) / 2 + S(1 / x^2) / x. The polynomial S is minimax for an error of 2^-64. The low
// part of x goes by the derivative.
PRIVATE pair stirling(pair x, pair log_x) {
  static const double S[] = {0x1.5555555555555p-4,   -0x1.6c16c16c10eedp-9, 0x1.a01a016068c5bp-11,
                             -0x1.3813342effa22p-11, 0x1.b921c210aec49p-11, -0x1.ee829428bc599p-10,
                             0x1.46e0099ce02d9p-8};
  double inverse = 1 / x.high;
  double series = mad(POLYNOMIAL(inverse * inverse, S), inverse, mad(-0.5, inverse, log_x.high) * x.low);
  pair product = product_of_pairs((pair){x.high - 0.5, 0}, log_x);
  pair sum = sum_of_pairs(product, (pair){-x.high, series});
  return sum_of_pairs(sum, HALF_LOG_2PI);
}

// |sin(pi x)| for x that isn't an integer.
PRIVATE pair sine_of_half_turns(double x) {
  reduced_angle angle = reduce_half_turns(x);
  pair sine = sine_near_zero(angle.rest), cosine = cosine_near_zero(angle.rest);
  u32 odd = angle.quadrant & 1;
  pair result = fast_two_sum(odd ? cosine.high : sine.high, odd ? cosine.low : sine.low);
  return result.high < 0 ? (pair){-result.high, -result.low} : result;
}

PRIVATE u32 is_odd_below(double x) { return __builtin_floor(x) != 2 * __builtin_floor(0.5 * x); }

// The error is that of an exponential, a division and for negative x a product: the low parts of all factors join the
// exponent. Outside -186 to 172, the result is 0 or infinity.
PUBLIC double tgamma(double x) {
  double size = clamp(__builtin_fabs(x), 0x1p-55, 190);
  pair product = {1, 0}, shifted = {size, 0};
  for (double n = 1; shifted.high < 8; n++) {
    product = product_of_pairs(product, shifted);
    shifted = two_sum(size, n);
  }
  pair log_gamma = stirling(shifted, logarithm_pair(shifted.high));
  pair numerator = {1, 0}, denominator = product;
  if (x < 0) {
    log_gamma = (pair){-log_gamma.high, -log_gamma.low};
    numerator = product_of_pairs(product, PI);
    denominator = product_of_pairs((pair){size, 0}, sine_of_half_turns(size));
  }
  reduced_exponent power = reduce_exponent(log_gamma);
  power.rest.low += numerator.low / numerator.high - denominator.low / denominator.high;
  double result = __lw_scale_by_power_of_two(exponential_near_one(power.rest) * numerator.high / denominator.high, power.n);

  result = x < -186 ? 0 : result;
  result = x < 0 && is_odd_below(x) ? -result : result;
  result = __builtin_fabs(x) < 0x1p-55 ? 1 / x : result;
  return (x < 0 && __builtin_trunc(x) == x) || x != x ? NAN : result;
}

// log(Gamma(x)) for 0 < x < infinity. Below 8 it is t Q(t) for x = 2 + t with |t| <= 1/2, plus or minus the logarithm
// of a product. Q is minimax for a relative error of 2^-62; its first term is a pair, since the two parts may cancel by
// half.
PRIVATE pair log_gamma_of_positive(double x) {
  static const pair Q0 = {0x1.b0ee6072093cep-2, 0x1.708af84c489f1p-58};
  static const double Q[] = {
      0x1.4a34cc4a60fa6p-2,   -0x1.13e001a55760ap-4,  0x1.51322ac7d84f0p-6,   -0x1.e404fc218dcc6p-8,
      0x1.7add6eada717ap-9,   -0x1.38ac5c2d3ce49p-10, 0x1.0b36af8e86f9fp-11,  -0x1.d3fd4b6ed5170p-13,
      0x1.a127ac1c5c6b8p-14,  -0x1.78de99697212fp-15, 0x1.580ea6963be7bp-16,  -0x1.3cb3e1a0c5afbp-17,
      0x1.25803972409cbp-18,  -0x1.1274bb6358e82p-19, 0x1.01fb021545afap-20,  -0x1.ce3cb0042a727p-22,
      0x1.a65b8420b0cbfp-23,  -0x1.1fc753ad3f327p-23, 0x1.29074e0d203ddp-24,
  };
  u32 below_half = x < 0.5, below = x < 1.5;
  pair product = {1, 0};
  double t = below_half ? x : below ? x - 1 : x - 2;
  if (x >= 8)
    product.high = x;
  else if (below)
    product = below_half ? fast_two_sum(x, x * x) : (pair){x, 0};
  else
    for (; t > 0.5; t--)
      product.high *= t + 1;

  pair logarithm = logarithm_of_pair(product);
  if (x >= 0x1p60) return (pair){x * ((logarithm.high - 1) + logarithm.low), 0};
  if (x >= 8) return stirling(product, logarithm);
  if (below) logarithm = (pair){-logarithm.high, -logarithm.low};
  pair factor = sum_of_pairs(Q0, (pair){t * POLYNOMIAL(t, Q), 0});
  return sum_of_pairs(logarithm, product_of_pairs((pair){t, 0}, factor));
}

PUBLIC double lgamma_r(double x, int *sign) {
  double size = __builtin_fabs(x);
  u32 integer = __builtin_trunc(x) == x, positive = bits(x) >> 63 == 0;
  pair result = {size == 0 ? INFINITY : size, 0};
  if (size > 0 && size < INFINITY && (positive || !integer)) {
    result = log_gamma_of_positive(size);
    // About 0, where Gamma(x) is nearly 1 / x, the logarithm is the same for -x.
    if (!positive && size > 0x1p-60) {
      pair logarithm = logarithm_of_pair(product_of_pairs((pair){size, 0}, sine_of_half_turns(size)));
      logarithm = sum_of_pairs(logarithm, result);
      result = sum_of_pairs(LOG_PI, (pair){-logarithm.high, -logarithm.low});
    }
  } else if (integer && !positive) {
    result.high = INFINITY;
  }
  u32 negative = size == 0 || (!integer && is_odd_below(x));
  *sign = !positive && negative ? -1 : 1;
  return result.high + result.low;
}

PUBLIC double lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
