// SPDX-License-Identifier: Apache-2.0
// Host side: CUDA's mathematical functions that the C library lacks, for host code. Kernels have those of the
// mathematical library, whose last bits may be others.
#ifndef LANEWISE_HOST_MATH_H
#define LANEWISE_HOST_MATH_H

#include "lanewise/host_libc.h"

#define __LW_HOST_MATH__ inline __attribute__((host, unused, nodebug))
#define __LW_PI 3.14159265358979323846
#define __LW_SQRT_1_2 0.70710678118654752440

extern "C" {

__LW_HOST_MATH__ double rsqrt(double x) noexcept { return 1 / __builtin_sqrt(x); }
__LW_HOST_MATH__ double rcbrt(double x) noexcept { return 1 / cbrt(x); }
__LW_HOST_MATH__ double rhypot(double x, double y) noexcept { return 1 / hypot(x, y); }

// Exact at multiples of 1/2: the argument is reduced before it is multiplied by pi.
__LW_HOST_MATH__ double sinpi(double x) noexcept {
  if (!__builtin_isfinite(x))
    return x - x;
  double r = fmod(x, 2.0), a = fabs(r), value;
  if (a == 0 || a == 1)
    return __builtin_copysign(0.0, x);
  if (a <= 0.25)
    value = sin(__LW_PI * a);
  else if (a <= 0.75)
    value = cos(__LW_PI * (0.5 - a));
  else if (a <= 1.25)
    value = sin(__LW_PI * (1 - a));
  else if (a <= 1.75)
    value = -cos(__LW_PI * (1.5 - a));
  else
    value = sin(__LW_PI * (a - 2));
  return r < 0 ? -value : value;
}
__LW_HOST_MATH__ double cospi(double x) noexcept {
  if (!__builtin_isfinite(x))
    return x - x;
  double a = fmod(fabs(x), 2.0);
  if (a > 1)
    a = 2 - a;
  if (a <= 0.25)
    return cos(__LW_PI * a);
  return a <= 0.75 ? sinpi(0.5 - a) : -cos(__LW_PI * (1 - a));
}
__LW_HOST_MATH__ void sincospi(double x, double *sine, double *cosine) noexcept {
  *sine = sinpi(x);
  *cosine = cospi(x);
}

__LW_HOST_MATH__ double normcdf(double x) noexcept { return 0.5 * erfc(-x * __LW_SQRT_1_2); }

// exp(x * x) * erfc(x): for large x by the continued fraction (Abramowitz and Stegun 7.1.14).
__LW_HOST_MATH__ double erfcx(double x) noexcept {
  if (x < 10)
    return exp(x * x) * erfc(x);
  double fraction = x;
  for (int n = 40; n > 0; --n)
    fraction = x + n / (2 * fraction);
  return 1 / (fraction * __builtin_sqrt(__LW_PI));
}

// A first guess from the tail's asymptotic form, then Newton's method on log(erfc), which is nearly a parabola.
__LW_HOST_MATH__ double erfcinv(double y) noexcept {
  if (!(y > 0 && y < 2))
    return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : __builtin_nan("");
  if (y > 1)
    return -erfcinv(2 - y);
  double x = y > 0.5 ? (1 - y) * 0.88622692545275801 : __builtin_sqrt(-log(y * __builtin_sqrt(__LW_PI)));
  if (!(x > 0))
    x = 0;
  for (int i = 0; i < 60; ++i) {
    double step = (log(erfc(x)) - log(y)) * erfcx(x) * 0.88622692545275801;
    double next = x + step;
    if (next == x || fabs(step) < 1e-17 * x)
      break;
    x = next < 0 ? x / 2 : next;
  }
  return x;
}
__LW_HOST_MATH__ double erfinv(double y) noexcept {
  if (!(fabs(y) < 0.5))
    return y < 0 ? -erfcinv(1 + y) : erfcinv(1 - y);
  double x = y * 0.88622692545275801;
  for (int i = 0; i < 60; ++i) {
    double next = x - (erf(x) - y) * exp(x * x) * 0.88622692545275801;
    if (next == x)
      break;
    x = next;
  }
  return x;
}
__LW_HOST_MATH__ double normcdfinv(double p) noexcept { return erfcinv(2 * p) * -1.41421356237309504880; }

// Bessel's functions by their series, all of whose terms are positive (Abramowitz and Stegun 9.6.10).
__LW_HOST_MATH__ double cyl_bessel_i0(double x) noexcept {
  double quarter = x * x / 4, term = 1, sum = 1;
  for (int k = 1; k < 2000 && term > sum * 1e-18; ++k)
    sum += term *= quarter / ((double)k * k);
  return sum;
}
__LW_HOST_MATH__ double cyl_bessel_i1(double x) noexcept {
  double quarter = x * x / 4, term = 1, sum = 1;
  for (int k = 1; k < 2000 && term > sum * 1e-18; ++k)
    sum += term *= quarter / ((double)k * (k + 1));
  return sum * x / 2;
}

__LW_HOST_MATH__ double norm3d(double a, double b, double c) noexcept { return hypot(hypot(a, b), c); }
__LW_HOST_MATH__ double norm4d(double a, double b, double c, double d) noexcept {
  return hypot(hypot(a, b), hypot(c, d));
}
__LW_HOST_MATH__ double rnorm3d(double a, double b, double c) noexcept { return 1 / norm3d(a, b, c); }
__LW_HOST_MATH__ double rnorm4d(double a, double b, double c, double d) noexcept { return 1 / norm4d(a, b, c, d); }

#define __LW_IN_FLOAT(name)                                                                                      \
  __LW_HOST_MATH__ float name##f(float x) noexcept { return (float)name((double)x); }
__LW_IN_FLOAT(rsqrt) __LW_IN_FLOAT(rcbrt) __LW_IN_FLOAT(sinpi) __LW_IN_FLOAT(cospi) __LW_IN_FLOAT(normcdf)
__LW_IN_FLOAT(normcdfinv) __LW_IN_FLOAT(erfcx) __LW_IN_FLOAT(erfinv) __LW_IN_FLOAT(erfcinv)
__LW_IN_FLOAT(cyl_bessel_i0) __LW_IN_FLOAT(cyl_bessel_i1)
#undef __LW_IN_FLOAT
__LW_HOST_MATH__ float rhypotf(float x, float y) noexcept { return (float)rhypot((double)x, (double)y); }
__LW_HOST_MATH__ void sincospif(float x, float *sine, float *cosine) noexcept {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
__LW_HOST_MATH__ float norm3df(float a, float b, float c) noexcept { return (float)norm3d(a, b, c); }
__LW_HOST_MATH__ float norm4df(float a, float b, float c, float d) noexcept { return (float)norm4d(a, b, c, d); }
__LW_HOST_MATH__ float rnorm3df(float a, float b, float c) noexcept { return (float)rnorm3d(a, b, c); }
__LW_HOST_MATH__ float rnorm4df(float a, float b, float c, float d) noexcept { return (float)rnorm4d(a, b, c, d); }
}

#undef __LW_HOST_MATH__
#undef __LW_PI
#undef __LW_SQRT_1_2

#endif
