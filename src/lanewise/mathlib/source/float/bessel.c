// SPDX-License-Identifier: Apache-2.0
// Bessel functions of the first and the second kind, by way of doubles: they are rare, and to be accurate near each
// zero would ask for pairs of floats throughout.
#include "arithmetic.h"

double j0(double x);
double j1(double x);
double jn(int n, double x);
double y0(double x);
double y1(double x);
double yn(int n, double x);

PUBLIC float j0f(float x) { return (float)j0(x); }
PUBLIC float j1f(float x) { return (float)j1(x); }
PUBLIC float jnf(int n, float x) { return (float)jn(n, x); }
PUBLIC float y0f(float x) { return (float)y0(x); }
PUBLIC float y1f(float x) { return (float)y1(x); }
PUBLIC float ynf(int n, float x) { return (float)yn(n, x); }
