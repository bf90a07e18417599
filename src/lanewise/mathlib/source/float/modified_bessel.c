// SPDX-License-Identifier: Apache-2.0
// Modified Bessel functions of the first kind, by way of doubles: they are rare, and grow so fast that their relative
// error is that of x times its size.
#include "arithmetic.h"

double cyl_bessel_i0(double x);
double cyl_bessel_i1(double x);

PUBLIC float cyl_bessel_i0f(float x) { return (float)cyl_bessel_i0(x); }
PUBLIC float cyl_bessel_i1f(float x) { return (float)cyl_bessel_i1(x); }
