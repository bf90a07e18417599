// SPDX-License-Identifier: Apache-2.0
// The mathematical functions that are calls of the library, by the types of their parameters: one list, read once for
// device code and once for host code. The argument is a macro of the double function's name.
#ifndef LANEWISE_LIBM_NAMES_H
#define LANEWISE_LIBM_NAMES_H

// C's, which C++ overloads for float and takes integers for. Of the first, -use_fast_math replaces the float form.
#define __LW_LIBM_UNARY(entry) __LW_LIBM_UNARY_WITH_FAST_FORM(entry) __LW_LIBM_UNARY_PLAIN(entry)
#define __LW_LIBM_UNARY_WITH_FAST_FORM(entry)                                                                    \
  entry(cos) entry(exp) entry(log) entry(log10) entry(log2) entry(sin) entry(tan)
#define __LW_LIBM_UNARY_PLAIN(entry)                                                                             \
  entry(acos) entry(acosh) entry(asin) entry(asinh) entry(atan) entry(atanh) entry(cbrt) entry(cosh) entry(erf)  \
  entry(erfc) entry(exp2) entry(expm1) entry(lgamma) entry(log1p) entry(logb) entry(sinh) entry(tanh)            \
  entry(tgamma)

#define __LW_LIBM_UNARY_C_ONLY(entry) entry(j0) entry(j1) entry(y0) entry(y1)

#define __LW_LIBM_BINARY(entry) entry(pow) __LW_LIBM_BINARY_PLAIN(entry)
#define __LW_LIBM_BINARY_PLAIN(entry)                                                                            \
  entry(atan2) entry(fmod) entry(hypot) entry(nextafter) entry(remainder)

// CUDA's own.
#define __LW_CUDA_UNARY(entry) entry(exp10) __LW_CUDA_UNARY_PLAIN(entry)
#define __LW_CUDA_UNARY_PLAIN(entry)                                                                             \
  entry(cospi) entry(cyl_bessel_i0) entry(cyl_bessel_i1) entry(erfcinv) entry(erfcx) entry(erfinv)               \
  entry(normcdf) entry(normcdfinv) entry(rcbrt) entry(rsqrt) entry(sinpi)

#endif
