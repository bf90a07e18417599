// SPDX-License-Identifier: Apache-2.0
// References by the C library, in a type wider than the function's. Read once for double and once for long double, with
// REAL the type, L(name) the library's name and C(name) the name here.

#define UNARY(name)                                                                                                    \
  static REAL C(name)(const REAL *a) { return L(name)(a[0]); }
#define BINARY(name)                                                                                                   \
  static REAL C(name)(const REAL *a) { return L(name)(a[0], a[1]); }

UNARY(acos) UNARY(acosh) UNARY(asin) UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(cbrt) UNARY(cos) UNARY(cosh)
UNARY(erf) UNARY(erfc) UNARY(exp) UNARY(exp10) UNARY(exp2) UNARY(expm1) UNARY(j0) UNARY(j1) UNARY(lgamma) UNARY(log)
UNARY(log10) UNARY(log1p) UNARY(log2) UNARY(logb) UNARY(sin) UNARY(sinh) UNARY(sqrt) UNARY(tan) UNARY(tanh)
UNARY(tgamma) UNARY(y0) UNARY(y1) UNARY(fabs) UNARY(floor) UNARY(ceil) UNARY(trunc) UNARY(rint) UNARY(round)
BINARY(atan2) BINARY(fmod) BINARY(hypot) BINARY(pow) BINARY(remainder)

static const REAL C(pi) = 3.14159265358979323846264338327950288L;

static REAL C(rsqrt)(const REAL *a) { return 1 / L(sqrt)(a[0]); }
static REAL C(rcbrt)(const REAL *a) { return 1 / L(cbrt)(a[0]); }
static REAL C(rhypot)(const REAL *a) { return 1 / L(hypot)(a[0], a[1]); }
static REAL C(norm3d)(const REAL *a) { return L(hypot)(L(hypot)(a[0], a[1]), a[2]); }
static REAL C(rnorm3d)(const REAL *a) { return 1 / C(norm3d)(a); }
static REAL C(norm4d)(const REAL *a) { return L(hypot)(L(hypot)(a[0], a[1]), L(hypot)(a[2], a[3])); }
static REAL C(rnorm4d)(const REAL *a) { return 1 / C(norm4d)(a); }
static REAL C(powr)(const REAL *a) { return a[0] < 0 ? NAN : L(pow)(a[0], a[1]); }
static REAL C(jn)(const REAL *a) { return L(jn)((int)a[0], a[1]); }
static REAL C(yn)(const REAL *a) { return L(yn)((int)a[0], a[1]); }
static REAL C(ldexp)(const REAL *a) { return L(ldexp)(a[0], (int)a[1]); }

static REAL C(ilogb)(const REAL *a) { return L(ilogb)(a[0]); }
static REAL C(exponent)(const REAL *a) { return L(ilogb)(a[0]) + 1; }
static REAL C(frexp)(const REAL *a) { return L(frexp)(a[0], &(int){0}); }
static REAL C(modf)(const REAL *a) { return L(copysign)(a[0] - L(trunc)(a[0]), a[0]); }
static REAL C(clamped)(REAL x) { return x > 0x1p63L ? 0x1p63L : x < -0x1p63L ? -0x1p63L : x == 0 ? 0 : x; }
static REAL C(lrint)(const REAL *a) { return C(clamped)(L(rint)(a[0])); }
static REAL C(lround)(const REAL *a) { return C(clamped)(L(round)(a[0])); }

// In half turns: reduced exactly, to a quarter at most, so that what is left is off by the rounding of pi alone.
static REAL C(sinpi_of)(REAL x) {
  REAL rest = L(remainder)(x, 2);
  REAL folded = L(fabs)(rest) > 0.5 ? L(copysign)(1 - L(fabs)(rest), rest) : rest;
  return L(fabs)(folded) > 0.25 ? L(copysign)(L(cos)(C(pi) * ((REAL)0.5 - L(fabs)(folded))), rest)
                                : L(sin)(C(pi) * folded);
}
static REAL C(cospi_of)(REAL x) { return C(sinpi_of)((REAL)0.5 - L(fabs)(L(remainder)(x, 2))); }
static REAL C(sinpi)(const REAL *a) { return C(sinpi_of)(a[0]); }
static REAL C(cospi)(const REAL *a) { return C(cospi_of)(a[0]); }
static REAL C(tanpi)(const REAL *a) { return C(sinpi_of)(a[0]) / C(cospi_of)(a[0]); }
static REAL C(asinpi)(const REAL *a) { return L(asin)(a[0]) / C(pi); }
static REAL C(acospi)(const REAL *a) { return L(acos)(a[0]) / C(pi); }
static REAL C(atanpi)(const REAL *a) { return L(atan)(a[0]) / C(pi); }
static REAL C(atan2pi)(const REAL *a) { return L(atan2)(a[0], a[1]) / C(pi); }

// From 25 on the asymptotic series, of which the eighteenth term is less than 2^-64.
static REAL C(erfcx)(const REAL *a) {
  REAL x = a[0], square = x * x;
  if (x < 25)
    return L(exp)(square) * (1 + L(fma)(x, x, -square)) * L(erfc)(x);
  REAL sum = 1;
  for (int term = 18; term > 0; term--)
    sum = 1 - sum * (2 * term - 1) / (2 * square);
  return sum / (x * L(sqrt)(C(pi)));
}

static const REAL C(root_of_half) = 0.707106781186547524400844362104849039L;
static REAL C(density)(REAL x) { return 2 / L(sqrt)(C(pi)) * L(exp)(-x * x); } // -erfc'

// The rounding error of x / sqrt(2) is brought back by the derivative.
static REAL C(normcdf_of)(REAL x) {
  REAL scaled = -x * C(root_of_half);
  REAL tail = (REAL)(0.707106781186547524400844362104849039L - C(root_of_half));
  REAL lost = L(fma)(-x, C(root_of_half), -scaled) - x * tail;
  return (L(erfc)(scaled) - C(density)(scaled) * lost) / 2;
}
static REAL C(normcdf)(const REAL *a) { return C(normcdf_of)(a[0]); }

// Inverses: one of Newton's steps from the result that is judged.
static REAL C(erfcinv)(const REAL *a) {
  REAL y = a[GOT];
  return y + (L(erfc)(y) - a[0]) / C(density)(y);
}
static REAL C(erfinv)(const REAL *a) {
  REAL y = a[GOT], beyond = L(erfc)(L(fabs)(y)) - (1 - L(fabs)(a[0]));
  REAL rest = L(fabs)(y) < 0.5 ? a[0] - L(erf)(y) : L(copysign)(beyond, y);
  return y + rest / C(density)(y);
}
static REAL C(normcdfinv)(const REAL *a) {
  REAL y = a[GOT], rest = y < 0 ? a[0] - C(normcdf_of)(y) : C(normcdf_of)(-y) - (1 - a[0]);
  return y + rest / (C(density)(y * C(root_of_half)) * C(root_of_half) / 2);
}

// The power series of I_order, all of whose terms have one sign.
static REAL C(bessel_i)(REAL x, int order) {
  REAL quarter = x * x / 4, term = order ? x / 2 : 1, sum = term;
  if (L(fabs)(x) > 800)
    return L(copysign)(INFINITY, term);
  for (int k = 1; L(fabs)(term) > L(fabs)(sum) * (REAL)0x1p-70; k++)
    sum += term *= quarter / ((REAL)k * (k + order));
  return sum;
}
static REAL C(cyl_bessel_i0)(const REAL *a) { return C(bessel_i)(a[0], 0); }
static REAL C(cyl_bessel_i1)(const REAL *a) { return C(bessel_i)(a[0], 1); }

#undef UNARY
#undef BINARY
