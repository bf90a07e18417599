// SPDX-License-Identifier: Apache-2.0
// erf, erfc, erfcx, normcdf.
//
// All but erf come from two factors that are smooth for x >= 0, and which are pairs, so that only the last operation
// rounds visibly: e^(-x^2), whose exponent is squared exactly, and erfcx(x) = e^(x^2) erfc(x). The argument of the
// latter's polynomial is a fraction that maps [0, inf] to [0, 1], after Shepherd and Laframboise, Chebyshev
// approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf (Mathematics of Computation 36, 1981).
#include "double/exponential.h"

// From here on, erfcx(x) is 1/(sqrt(pi) x).
#define ASYMPTOTIC 0x1p60

// erfcx(x.high + x.low) for x >= 0, with an error of 0.2 ulp in the sum.
PRIVATE pair scaled_complement(pair x) {
  // ((1 + 2x) erfcx(x) - 1) / u at u = t + 1/2 = x / (x + 3): minimax, error 2^-56.4 relative to (1 + 2x) erfcx(x),
  // which lies between 1 and 1.2875.
  static const double P[] = {
      0x1.03148b5f9261dp-1,  -0x1.8df4cdbd61a96p0,  0x1.5d40a2324c5dfp1,   -0x1.b0fdddbee4539p1, 0x1.79703b437eaf5p1,
      -0x1.86984b2e33899p0,  0x1.238722b30081fp-7,  0x1.426c152d54f08p-1,  -0x1.2b789a8add9c7p-2, -0x1.b58ad9aba0a32p-3,
      0x1.b2034ef1a5e85p-3,  0x1.6ac47603a10a4p-4,  -0x1.17bbd90a96416p-3, -0x1.cbfcff46bee70p-5, 0x1.69e76ae2af4ecp-4,
      0x1.a0aa7e4db4510p-5,  -0x1.c37373f3cc0e8p-5, -0x1.a58c423ba4369p-5, 0x1.e0bff6fe2d598p-6, 0x1.8ae8856444b8fp-5,
      -0x1.594281a525726p-7, -0x1.1e42c3f201f3fp-5, 0x1.67fb33e63a217p-10, 0x1.c85c9c1ae8e31p-7,
  };
  double near = x.high > ASYMPTOTIC ? ASYMPTOTIC : x.high;
  double u = near / (near + 3);
  pair half = fast_two_sum(0.5, 0.5 * u * POLYNOMIAL(u - 0.5, P)); // (1/2 + x) erfcx(x)
  pair divisor = two_sum(0.5, x.high);
  double reciprocal = 1 / divisor.high, quotient = half.high * reciprocal;
  pair product = two_product(quotient, divisor.high);
  double remainder = (half.high - product.high) - product.low + (half.low - quotient * (divisor.low + x.low));
  return (pair){quotient, x.high > ASYMPTOTIC ? 0 : remainder * reciprocal};
}

// e^x as a pair that is not far from 1, and the power of two to multiply it by, for |x| < 1100.
typedef struct {
  pair value;
  double n;
} scaled_exponential;

PRIVATE scaled_exponential exponential_pair(pair x) {
  reduced_exponent reduced = reduce_exponent(x);
  pair r = reduced.rest, linear = fast_two_sum(1, r.high);
  double quadratic = r.high * r.high * mad(r.high, exponential_cubic(r.high), 0.5);
  double low = linear.low + mad(r.low, linear.high, quadratic);
  return (scaled_exponential){fast_two_sum(linear.high, low), reduced.n};
}

// e^(-exponent) complement, rounded once, or twice where it is denormal.
PRIVATE double tail(pair exponent, pair complement) {
  scaled_exponential power = exponential_pair((pair){-exponent.high, -exponent.low});
  double low = mad(power.value.low, complement.high, power.value.high * complement.low);
  return __lw_scale_by_power_of_two(mad(power.value.high, complement.high, low), power.n);
}

// Two polynomials, and no exponential: erfc is small where the second is used, so that an absolute error is enough.
PUBLIC double erf(double x) {
  // erf(x)/x - 1 at x^2, for |x| <= 1.125: minimax, error 2^-56.0 relative to erf(x)/x.
  static const double NEAR[] = {
      0x1.06eba8214db68p-3, -0x1.812746b0379c7p-2, 0x1.ce2f21a041be1p-4, -0x1.b82ce3124e6c0p-6, 0x1.565bcd07141d4p-8,
      -0x1.c02db2dcef3dap-11, 0x1.f9a309529b366p-14, -0x1.f4d04e21f77dbp-17, 0x1.b9cd7ff30fb76p-20,
      -0x1.5e9bc016e6c72p-23, 0x1.f2d7e9a2771e3p-27, -0x1.2b4144fbcb083p-30, 0x1.cb5d391350d9fp-35,
  };
  // erfc(x) at x - 3.5, for x from 1.125 to 6: minimax, error 2^-56.6.
  static const double FAR[] = {
      0x1.8ef2a9a18ec50p-21, -0x1.6a597219a9a69p-18, 0x1.3d0e43d66f3b1p-16, -0x1.62ccea63c8e01p-15,
      0x1.1c07721ae10f3p-14, -0x1.586bafc9c7c02p-14, 0x1.46153fb8bc4f0p-14, -0x1.e827faf9ee1fep-15,
      0x1.1f6304e501167p-15, -0x1.013525fd36c91p-16, 0x1.3774132cb8375p-18, -0x1.dd7f383dbb7a8p-22,
      -0x1.dc7f9a5875b12p-22, 0x1.43ea5b7cfeeb3p-22, -0x1.8c7e078ffca36p-24, 0x1.89d404f0fd962p-28,
      0x1.1beb179859be8p-27, -0x1.153ffffbda2aep-28, 0x1.8368b4a8f6368p-31, 0x1.3710ec7b24df6p-33,
      -0x1.fefb200c9cb15p-34, 0x1.c83507110c4afp-36, 0x1.f366379e3baa8p-40, -0x1.7aee7d282d884p-39,
      0x1.702fe78082e04p-41, 0x1.9e0602e647992p-46, -0x1.ffe8abffd3b79p-45, 0x1.dcd680ad59d63p-47,
      0x1.2451cc29f22cbp-50, -0x1.4e41c842c6a0ep-50, 0x1.5baf5f96444fcp-53, 0x1.97014506be78dp-55,
      -0x1.f4ac76b25d5a3p-57, -0x1.c35a5261e8c75p-62, 0x1.2f29634d9bb08p-61, -0x1.25823f13d503bp-65,
      -0x1.33e6692c10531p-67, 0x1.14e1cf2e33499p-70,
  };
  double size = __builtin_fabs(x), clamped = size > 6 ? 6 : size;
  double near = mad(x, POLYNOMIAL(clamped * clamped, NEAR), x);
  double far = __builtin_copysign(1 - POLYNOMIAL(clamped - 3.5, FAR), x);
  return size < 1.125 ? near : far;
}

PUBLIC double erfc(double x) {
  double size = __builtin_fabs(x), clamped = size > 28 ? 28 : size;
  double above = tail(two_product(clamped, clamped), scaled_complement((pair){clamped, 0}));
  return x < 0 ? 2 - above : above;
}

// For x < 0, 2 e^(x^2) - erfcx(-x). That is infinite where the square is clamped.
PUBLIC double erfcx(double x) {
  double size = __builtin_fabs(x), clamped = size > 27 ? 27 : size;
  pair complement = scaled_complement((pair){size, 0});
  scaled_exponential power = exponential_pair(two_product(clamped, clamped));
  double high = __lw_scale_by_power_of_two(2 * power.value.high, power.n);
  double low = __lw_scale_by_power_of_two(2 * power.value.low, power.n);
  return x < 0 ? (high - complement.high) + (low - complement.low) : complement.high + complement.low;
}

// The probability that a normally distributed number is less than x: erfc(-x / sqrt(2)) / 2.
PUBLIC double normcdf(double x) {
  static const double SQRT_HALF = 0x1.6a09e667f3bcdp-1, SQRT_HALF_LOW = -0x1.bdd3413b26456p-55;
  double size = __builtin_fabs(x), clamped = size > 39 ? 39 : size;
  pair square = two_product(clamped, clamped), quotient = two_product(clamped, SQRT_HALF);
  pair complement = scaled_complement((pair){quotient.high, mad(clamped, SQRT_HALF_LOW, quotient.low)});
  double below = tail((pair){0.5 * square.high, 0.5 * square.low},
                      (pair){0.5 * complement.high, 0.5 * complement.low});
  return x > 0 ? 1 - below : below;
}
