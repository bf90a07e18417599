// SPDX-License-Identifier: Apache-2.0
// Device functions that arrive in the module as calls of libm's names: sinf(float), sin(double), and C++'s sin(float).
#ifndef LANEWISE_MATH_LIBM_H
#define LANEWISE_MATH_LIBM_H

#include "lanewise/libm_names.h"
#include "lanewise/qualifiers.h"

#define __LW_UNARY_C_ONLY(name)                                                                                  \
  __LW_PURE__ double name(double) __asm__(#name);                                                                \
  __LW_PURE__ float name##f(float) __asm__(#name "f");
#define __LW_UNARY(name)                                                                                         \
  __LW_UNARY_C_ONLY(name)                                                                                        \
  __LW_PURE__ float name(float) __asm__(#name "f");
#define __LW_BINARY(name)                                                                                        \
  __LW_PURE__ double name(double, double) __asm__(#name);                                                        \
  __LW_PURE__ float name##f(float, float) __asm__(#name "f");                                                    \
  __LW_PURE__ float name(float, float) __asm__(#name "f");

__LW_LIBM_UNARY(__LW_UNARY)
__LW_LIBM_UNARY_C_ONLY(__LW_UNARY_C_ONLY)
__LW_LIBM_BINARY(__LW_BINARY)

#undef __LW_UNARY_C_ONLY
#undef __LW_UNARY
#undef __LW_BINARY

#define __LW_BOTH(declare)                                                                                       \
  declare(double, , ) declare(float, f, ) declare(float, f, f)

#define __LW_DECLARE(type, symbol_suffix, suffix)                                                                \
  __LW_PURE__ type ldexp##suffix(type, int) __asm__("ldexp" #symbol_suffix);                                     \
  __LW_PURE__ type scalbn##suffix(type, int) __asm__("scalbn" #symbol_suffix);                                   \
  __LW_PURE__ type scalbln##suffix(type, long) __asm__("scalbln" #symbol_suffix);                                \
  __LW_PURE__ int ilogb##suffix(type) __asm__("ilogb" #symbol_suffix);
__LW_BOTH(__LW_DECLARE)
#undef __LW_DECLARE

__LW_PURE__ double jn(int, double) __asm__("jn");
__LW_PURE__ double yn(int, double) __asm__("yn");
__LW_PURE__ float jnf(int, float) __asm__("jnf");
__LW_PURE__ float ynf(int, float) __asm__("ynf");

// CUDA's own, which C's libraries lack: no device has them before there is a mathematical library for devices.
#define __LW_DECLARE(name)                                                                                       \
  __LW_PURE__ double name(double) __asm__(#name);                                                                \
  __LW_PURE__ float name##f(float) __asm__(#name "f");                                                           \
  __LW_PURE__ float name(float) __asm__(#name "f");
__LW_DECLARE(erfinv)
__LW_DECLARE(erfcinv)
__LW_DECLARE(normcdfinv)
__LW_DECLARE(cyl_bessel_i0)
__LW_DECLARE(cyl_bessel_i1)
#undef __LW_DECLARE

// These write through a pointer.
#define __LW_DECLARE(type, symbol_suffix, suffix)                                                                \
  __device__ type frexp##suffix(type, int *) noexcept __asm__("frexp" #symbol_suffix);                           \
  __device__ type remquo##suffix(type, type, int *) noexcept __asm__("remquo" #symbol_suffix);
__LW_BOTH(__LW_DECLARE)
#undef __LW_DECLARE
#undef __LW_BOTH

#endif
