// SPDX-License-Identifier: Apache-2.0
// The table of references.
#define _GNU_SOURCE // exp10, jnl and others
#include <math.h>

#include "judge.h"

#define REAL double
#define L(name) name
#define C(name) float_##name
#include "close.h"
#undef REAL
#undef L
#undef C

#define REAL long double
#define L(name) name##l
#define C(name) double_##name
#include "close.h"

#include "exact.h"

#define CLOSE(name) {#name, exact_##name, float_##name, double_##name},
#define EXACT(name) {#name, exact_##name, 0, 0},

const reference references[] = {
    CLOSE(acos) CLOSE(acosh) CLOSE(acospi) CLOSE(asin) CLOSE(asinh) CLOSE(asinpi) CLOSE(atan) CLOSE(atan2)
    CLOSE(atan2pi) CLOSE(atanh) CLOSE(atanpi) CLOSE(cbrt) CLOSE(ceil) EXACT(copysign) CLOSE(cos) CLOSE(cosh)
    CLOSE(cospi) CLOSE(cyl_bessel_i0) CLOSE(cyl_bessel_i1) CLOSE(erf) CLOSE(erfc) CLOSE(erfcinv) CLOSE(erfcx)
    CLOSE(erfinv) CLOSE(exp) CLOSE(exp10) CLOSE(exp2) CLOSE(expm1) CLOSE(exponent) CLOSE(fabs) EXACT(fdim)
    CLOSE(floor) EXACT(fma) EXACT(fmax) EXACT(fmin) CLOSE(fmod) CLOSE(frexp) CLOSE(hypot) CLOSE(ilogb) CLOSE(j0)
    CLOSE(j1) CLOSE(jn) CLOSE(ldexp) CLOSE(lgamma) CLOSE(log) CLOSE(log10) CLOSE(log1p) CLOSE(log2) CLOSE(logb)
    CLOSE(lrint) CLOSE(lround) EXACT(maxmag) EXACT(minmag) CLOSE(modf) EXACT(nextafter) CLOSE(norm3d) CLOSE(norm4d)
    CLOSE(normcdf) CLOSE(normcdfinv) CLOSE(pow) EXACT(pown) CLOSE(powr) EXACT(quotient) CLOSE(rcbrt) CLOSE(remainder)
    CLOSE(rhypot) CLOSE(rint) CLOSE(rnorm3d) CLOSE(rnorm4d) EXACT(rootn) CLOSE(round) CLOSE(rsqrt) CLOSE(sin)
    CLOSE(sinh) CLOSE(sinpi) CLOSE(sqrt) CLOSE(tan) CLOSE(tanh) CLOSE(tanpi) CLOSE(tgamma) CLOSE(trunc) CLOSE(y0)
    CLOSE(y1) CLOSE(yn)
};
const int reference_count = sizeof references / sizeof *references;
