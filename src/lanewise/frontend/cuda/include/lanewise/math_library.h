// SPDX-License-Identifier: Apache-2.0
// Device functions that arrive in the module as calls by C's names, for the mathematical library: sin(double),
// sinf(float), and C++'s sin(float) as sinf.
#ifndef LANEWISE_MATH_LIBRARY_H
#define LANEWISE_MATH_LIBRARY_H

#include "lanewise/fast_math.h"
#include "lanewise/libm_names.h"
#include "lanewise/math_instructions.h"

// -- of numbers alone

#define __LW_UNARY_DOUBLE(name) __LW_PURE__ double name(double) __asm__(#name);
#define __LW_UNARY_C_ONLY(name)                                                                                  \
  __LW_UNARY_DOUBLE(name)                                                                                        \
  __LW_PURE__ float name##f(float) __asm__(#name "f");
#define __LW_UNARY(name)                                                                                         \
  __LW_UNARY_C_ONLY(name)                                                                                        \
  __LW_PURE__ float name(float) __asm__(#name "f");
#define __LW_BINARY(name)                                                                                        \
  __LW_PURE__ double name(double, double) __asm__(#name);                                                        \
  __LW_PURE__ float name##f(float, float) __asm__(#name "f");                                                    \
  __LW_PURE__ float name(float, float) __asm__(#name "f");

#ifdef __USE_FAST_MATH__ // which float functions it replaces: CUDA C++ Programming Guide, "Intrinsic Functions"
#define __LW_UNARY_OR_FAST(name)                                                                                 \
  __LW_UNARY_DOUBLE(name)                                                                                        \
  __LW_DEVICE__ float name##f(float x) { return __##name##f(x); }                                                \
  __LW_DEVICE__ float name(float x) { return __##name##f(x); }
__LW_PURE__ double pow(double, double) __asm__("pow");
__LW_DEVICE__ float powf(float x, float y) { return __powf(x, y); }
__LW_DEVICE__ float pow(float x, float y) { return __powf(x, y); }
#else
#define __LW_UNARY_OR_FAST(name) __LW_UNARY(name)
__LW_BINARY(pow)
#endif

__LW_LIBM_UNARY_WITH_FAST_FORM(__LW_UNARY_OR_FAST)
__LW_LIBM_UNARY_PLAIN(__LW_UNARY)
__LW_LIBM_UNARY_C_ONLY(__LW_UNARY_C_ONLY)
__LW_LIBM_BINARY_PLAIN(__LW_BINARY)
__LW_UNARY_OR_FAST(exp10)
__LW_CUDA_UNARY_PLAIN(__LW_UNARY)
__LW_BINARY(rhypot)

#undef __LW_UNARY_DOUBLE
#undef __LW_UNARY_C_ONLY
#undef __LW_UNARY_OR_FAST
#undef __LW_UNARY
#undef __LW_BINARY

// declare(type, what follows the name in its symbol, what follows it in the source)
#define __LW_THREE_NAMES(declare) declare(double, , ) declare(float, f, f) declare(float, f, )

#define __LW_DECLARE(type, symbol_suffix, suffix)                                                                \
  __LW_PURE__ type ldexp##suffix(type, int) __asm__("ldexp" #symbol_suffix);                                     \
  __LW_PURE__ type scalbn##suffix(type, int) __asm__("scalbn" #symbol_suffix);                                   \
  __LW_PURE__ type scalbln##suffix(type, long) __asm__("scalbln" #symbol_suffix);                                \
  __LW_PURE__ int ilogb##suffix(type) __asm__("ilogb" #symbol_suffix);                                           \
  __LW_PURE__ type norm3d##suffix(type, type, type) __asm__("norm3d" #symbol_suffix);                            \
  __LW_PURE__ type rnorm3d##suffix(type, type, type) __asm__("rnorm3d" #symbol_suffix);                          \
  __LW_PURE__ type norm4d##suffix(type, type, type, type) __asm__("norm4d" #symbol_suffix);                      \
  __LW_PURE__ type rnorm4d##suffix(type, type, type, type) __asm__("rnorm4d" #symbol_suffix);
__LW_THREE_NAMES(__LW_DECLARE)
#undef __LW_DECLARE

__LW_PURE__ double jn(int, double) __asm__("jn");
__LW_PURE__ double yn(int, double) __asm__("yn");
__LW_PURE__ float jnf(int, float) __asm__("jnf");
__LW_PURE__ float ynf(int, float) __asm__("ynf");

// -- with pointers

#define __LW_DECLARE(type, symbol_suffix, suffix)                                                                \
  __device__ type frexp##suffix(type, int *) noexcept __asm__("frexp" #symbol_suffix);                           \
  __device__ type remquo##suffix(type, type, int *) noexcept __asm__("remquo" #symbol_suffix);                   \
  __device__ void sincospi##suffix(type, type *, type *) noexcept __asm__("sincospi" #symbol_suffix);            \
  __device__ type norm##suffix(int, const type *) noexcept __asm__("norm" #symbol_suffix);                       \
  __device__ type rnorm##suffix(int, const type *) noexcept __asm__("rnorm" #symbol_suffix);
__LW_THREE_NAMES(__LW_DECLARE)
#undef __LW_DECLARE

__device__ void sincos(double, double *, double *) noexcept __asm__("sincos");
#ifdef __USE_FAST_MATH__
__LW_DEVICE__ void sincosf(float x, float *sine, float *cosine) { __sincosf(x, sine, cosine); }
__LW_DEVICE__ void sincos(float x, float *sine, float *cosine) { __sincosf(x, sine, cosine); }
#else
__device__ void sincosf(float, float *, float *) noexcept __asm__("sincosf");
__device__ void sincos(float, float *, float *) noexcept __asm__("sincosf");
#endif
#undef __LW_THREE_NAMES

__LW_DEVICE__ float fdividef(float x, float y) { return x / y; }

#endif
