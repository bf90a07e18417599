// SPDX-License-Identifier: Apache-2.0
// Mathematical functions that CUDA has and C's library lacks, in terms of those it has. Errors are a few ulp more than
// the functions they call.
#ifndef LANEWISE_MATH_CUDA_H
#define LANEWISE_MATH_CUDA_H

#include "lanewise/math_instructions.h"
#include "lanewise/math_libm.h"

#define __LW_FLOAT_AND_DOUBLE(body) body(float, f) body(double, )

#define __LW_ROOTS(type, f)                                                                                      \
  __LW_DEVICE__ type rsqrt##f(type x) { return type(1) / sqrt##f(x); }                                           \
  __LW_DEVICE__ type rcbrt##f(type x) { return type(1) / cbrt##f(x); }                                           \
  __LW_DEVICE__ type rhypot##f(type x, type y) { return type(1) / hypot##f(x, y); }                              \
  __LW_DEVICE__ type norm3d##f(type a, type b, type c) { return hypot##f(hypot##f(a, b), c); }                   \
  __LW_DEVICE__ type rnorm3d##f(type a, type b, type c) { return type(1) / norm3d##f(a, b, c); }                 \
  __LW_DEVICE__ type norm4d##f(type a, type b, type c, type d) {                                                 \
    return hypot##f(hypot##f(a, b), hypot##f(c, d));                                                             \
  }                                                                                                              \
  __LW_DEVICE__ type rnorm4d##f(type a, type b, type c, type d) { return type(1) / norm4d##f(a, b, c, d); }      \
  __LW_DEVICE__ type norm##f(int count, const type *a) {                                                         \
    type length = 0;                                                                                             \
    for (int i = 0; i < count; ++i)                                                                              \
      length = hypot##f(length, a[i]);                                                                           \
    return length;                                                                                               \
  }                                                                                                              \
  __LW_DEVICE__ type rnorm##f(int count, const type *a) { return type(1) / norm##f(count, a); }

#define __LW_EXPONENTIALS(type, f)                                                                               \
  __LW_DEVICE__ type exp10##f(type x) { return pow##f(type(10), x); }                                            \
  __LW_DEVICE__ type erfcx##f(type x) { /* beyond 10, where erfc vanishes, by its continued fraction */          \
    if (x < type(10))                                                                                            \
      return exp##f(x * x) * erfc##f(x);                                                                         \
    type fraction = x;                                                                                           \
    for (int k = 6; k > 0; --k)                                                                                  \
      fraction = x + type(k) / type(2) / fraction;                                                               \
    return type(0.56418958354775628695) / fraction;                                                              \
  }                                                                                                              \
  __LW_DEVICE__ type normcdf##f(type x) { return erfc##f(x * type(-0.70710678118654752440)) / type(2); }

// x is reduced exactly to [-1/4, 1/4] half turns before the multiplication by pi, so that integers and halves give
// exact zeros and ones.
#define __LW_HALF_TURNS(type, f)                                                                                 \
  __LW_DEVICE__ void sincospi##f(type x, type *sine, type *cosine) {                                             \
    type quarter_turns = rint##f(x * 2);                                                                         \
    type rest = (x - quarter_turns / 2) * type(3.14159265358979323846);                                          \
    type remainder = quarter_turns - 4 * floor##f(quarter_turns / 4);                                            \
    type s = sin##f(rest), c = cos##f(rest);                                                                     \
    bool swapped = remainder == 1 || remainder == 3;                                                             \
    type swapped_sine = swapped ? c : s, swapped_cosine = swapped ? s : c;                                       \
    *sine = remainder >= 2 ? -swapped_sine : swapped_sine;                                                       \
    *cosine = remainder == 1 || remainder == 2 ? -swapped_cosine : swapped_cosine;                               \
  }                                                                                                              \
  __LW_DEVICE__ type sinpi##f(type x) {                                                                          \
    type sine, cosine;                                                                                           \
    sincospi##f(x, &sine, &cosine);                                                                              \
    return sine;                                                                                                 \
  }                                                                                                              \
  __LW_DEVICE__ type cospi##f(type x) {                                                                          \
    type sine, cosine;                                                                                           \
    sincospi##f(x, &sine, &cosine);                                                                              \
    return cosine;                                                                                               \
  }

__LW_FLOAT_AND_DOUBLE(__LW_ROOTS)
__LW_FLOAT_AND_DOUBLE(__LW_EXPONENTIALS)
__LW_FLOAT_AND_DOUBLE(__LW_HALF_TURNS)
#undef __LW_ROOTS
#undef __LW_EXPONENTIALS
#undef __LW_HALF_TURNS
#undef __LW_FLOAT_AND_DOUBLE

__LW_DEVICE__ void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
__LW_DEVICE__ void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
__LW_DEVICE__ void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }

__LW_DEVICE__ float fdividef(float x, float y) { return x / y; }

#endif
