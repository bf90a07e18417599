// SPDX-License-Identifier: Apache-2.0
// The functions of C's mathematical library that have no instruction of their own: one list, read once for device
// code and once for host code. The argument is a macro of the double function's name.
#ifndef LANEWISE_LIBM_NAMES_H
#define LANEWISE_LIBM_NAMES_H

#define __LW_LIBM_UNARY(entry)                                                                                   \
  entry(acos) entry(acosh) entry(asin) entry(asinh) entry(atan) entry(atanh) entry(cbrt) entry(cos) entry(cosh)  \
  entry(erf) entry(erfc) entry(exp) entry(exp2) entry(expm1) entry(lgamma) entry(log) entry(log10) entry(log1p)  \
  entry(log2) entry(logb) entry(sin) entry(sinh) entry(tan) entry(tanh) entry(tgamma)

#define __LW_LIBM_BINARY(entry)                                                                                  \
  entry(atan2) entry(fmod) entry(hypot) entry(nextafter) entry(pow) entry(remainder)

#define __LW_LIBM_UNARY_C_ONLY(entry) entry(j0) entry(j1) entry(y0) entry(y1)

#endif
