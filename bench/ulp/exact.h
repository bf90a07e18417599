// SPDX-License-Identifier: Apache-2.0
// References by MPFR: void exact_NAME(mpfr_t result, mpfr_t *arguments), right to the precision of the result but for
// its last few bits.

#define UNARY(name, theirs)                                                                                            \
  static void exact_##name(mpfr_t r, mpfr_t *a) { theirs(r, a[0], MPFR_RNDN); }
#define UNARY_EXACT(name, theirs)                                                                                      \
  static void exact_##name(mpfr_t r, mpfr_t *a) { theirs(r, a[0]); }
#define BINARY(name, theirs)                                                                                           \
  static void exact_##name(mpfr_t r, mpfr_t *a) { theirs(r, a[0], a[1], MPFR_RNDN); }

#define SAME(name) UNARY(name, mpfr_##name)
SAME(acos) SAME(acosh) SAME(acospi) SAME(asin) SAME(asinh) SAME(asinpi) SAME(atan) SAME(atanh) SAME(atanpi) SAME(cbrt)
SAME(cos) SAME(cosh) SAME(cospi) SAME(erf) SAME(erfc) SAME(exp) SAME(exp10) SAME(exp2) SAME(expm1) SAME(j0) SAME(j1)
SAME(log) SAME(log10) SAME(log1p) SAME(log2) SAME(sin) SAME(sinh) SAME(sinpi) SAME(sqrt) SAME(tan) SAME(tanh)
SAME(tanpi) SAME(y0) SAME(y1)
UNARY(tgamma, mpfr_gamma) UNARY(fabs, mpfr_abs) UNARY(rint, mpfr_rint)
UNARY_EXACT(floor, mpfr_floor) UNARY_EXACT(ceil, mpfr_ceil) UNARY_EXACT(trunc, mpfr_trunc)
UNARY_EXACT(round, mpfr_round)
BINARY(atan2, mpfr_atan2) BINARY(atan2pi, mpfr_atan2pi) BINARY(copysign, mpfr_copysign) BINARY(fdim, mpfr_dim)
BINARY(fmod, mpfr_fmod) BINARY(hypot, mpfr_hypot) BINARY(pow, mpfr_pow)
BINARY(remainder, mpfr_remainder)
#undef SAME
#undef BINARY
#undef UNARY_EXACT
#undef UNARY

static long integer(mpfr_t a) { return mpfr_get_si(a, MPFR_RNDN); }

static void exact_lgamma(mpfr_t r, mpfr_t *a) {
  int sign;
  mpfr_lgamma(r, &sign, a[0], MPFR_RNDN);
}
static void exact_fma(mpfr_t r, mpfr_t *a) { mpfr_fma(r, a[0], a[1], a[2], MPFR_RNDN); }
static void exact_powr(mpfr_t r, mpfr_t *a) {
  mpfr_powr(r, a[0], a[1], MPFR_RNDN);
  if (mpfr_nan_p(a[1])) // of 1, too
    mpfr_set_nan(r);
}
static void exact_pown(mpfr_t r, mpfr_t *a) { mpfr_pow_si(r, a[0], integer(a[1]), MPFR_RNDN); }
static void exact_rootn(mpfr_t r, mpfr_t *a) { mpfr_rootn_si(r, a[0], integer(a[1]), MPFR_RNDN); }
static void exact_jn(mpfr_t r, mpfr_t *a) { mpfr_jn(r, integer(a[0]), a[1], MPFR_RNDN); }
static void exact_yn(mpfr_t r, mpfr_t *a) { mpfr_yn(r, integer(a[0]), a[1], MPFR_RNDN); }
static void exact_ldexp(mpfr_t r, mpfr_t *a) { mpfr_mul_2si(r, a[0], integer(a[1]), MPFR_RNDN); }

// -- roots and lengths

static void reciprocal(mpfr_t r) { mpfr_ui_div(r, 1, r, MPFR_RNDN); }

static void exact_rsqrt(mpfr_t r, mpfr_t *a) {
  mpfr_sqrt(r, a[0], MPFR_RNDN);
  reciprocal(r);
}
static void exact_rcbrt(mpfr_t r, mpfr_t *a) {
  mpfr_cbrt(r, a[0], MPFR_RNDN);
  reciprocal(r);
}
static void exact_rhypot(mpfr_t r, mpfr_t *a) {
  mpfr_hypot(r, a[0], a[1], MPFR_RNDN);
  reciprocal(r);
}
static void exact_norm3d(mpfr_t r, mpfr_t *a) {
  mpfr_hypot(r, a[0], a[1], MPFR_RNDN);
  mpfr_hypot(r, r, a[2], MPFR_RNDN);
}
static void exact_norm4d(mpfr_t r, mpfr_t *a) {
  exact_norm3d(r, a);
  mpfr_hypot(r, r, a[3], MPFR_RNDN);
}
static void exact_rnorm3d(mpfr_t r, mpfr_t *a) {
  exact_norm3d(r, a);
  reciprocal(r);
}
static void exact_rnorm4d(mpfr_t r, mpfr_t *a) {
  exact_norm4d(r, a);
  reciprocal(r);
}

// -- error functions and their inverses

enum { ROOM = 320 }; // bits of what is computed on the way

// From 40 on, the asymptotic series: its terms shrink to 2^-200 within 40.
static void exact_erfcx(mpfr_t r, mpfr_t *a) {
  mpfr_t square, value;
  mpfr_inits2(ROOM, square, value, (mpfr_ptr)0);
  mpfr_sqr(square, a[0], MPFR_RNDN);
  if (mpfr_cmp_si(a[0], 40) < 0 || mpfr_nan_p(a[0])) {
    mpfr_erfc(value, a[0], MPFR_RNDN);
    mpfr_exp(square, square, MPFR_RNDN);
    mpfr_mul(r, square, value, MPFR_RNDN);
  } else {
    mpfr_mul_2ui(square, square, 1, MPFR_RNDN);
    mpfr_set_ui(value, 1, MPFR_RNDN);
    for (unsigned term = 40; term > 0; term--) {
      mpfr_mul_ui(value, value, 2 * term - 1, MPFR_RNDN);
      mpfr_div(value, value, square, MPFR_RNDN);
      mpfr_ui_sub(value, 1, value, MPFR_RNDN);
    }
    mpfr_const_pi(square, MPFR_RNDN);
    mpfr_sqrt(square, square, MPFR_RNDN);
    mpfr_mul(square, square, a[0], MPFR_RNDN);
    mpfr_div(r, value, square, MPFR_RNDN);
  }
  mpfr_clears(square, value, (mpfr_ptr)0);
}

static void exact_normcdf(mpfr_t r, mpfr_t *a) {
  mpfr_t scaled;
  mpfr_init2(scaled, ROOM);
  mpfr_sqrt_ui(scaled, 2, MPFR_RNDN);
  mpfr_div(scaled, a[0], scaled, MPFR_RNDN);
  mpfr_neg(scaled, scaled, MPFR_RNDN);
  mpfr_erfc(r, scaled, MPFR_RNDN);
  mpfr_div_2ui(r, r, 1, MPFR_RNDN);
  mpfr_clear(scaled);
}

// 2 / sqrt(pi) * exp(-x^2)
static void density(mpfr_t r, mpfr_t x) {
  mpfr_t factor;
  mpfr_init2(factor, ROOM);
  mpfr_const_pi(factor, MPFR_RNDN);
  mpfr_rec_sqrt(factor, factor, MPFR_RNDN);
  mpfr_mul_2ui(factor, factor, 1, MPFR_RNDN);
  mpfr_sqr(r, x, MPFR_RNDN);
  mpfr_neg(r, r, MPFR_RNDN);
  mpfr_exp(r, r, MPFR_RNDN);
  mpfr_mul(r, r, factor, MPFR_RNDN);
  mpfr_clear(factor);
}

// One of Newton's steps from x, which it replaces, for erf(x) = target or for log(erfc(x)) = log(target). Gives whether
// x still changes in its first 250 bits.
static int newton_step(mpfr_t x, mpfr_t target, int complement) {
  mpfr_t value, slope;
  mpfr_inits2(ROOM, value, slope, (mpfr_ptr)0);
  density(slope, x);
  if (complement) {
    mpfr_erfc(value, x, MPFR_RNDN);
    mpfr_div(slope, slope, value, MPFR_RNDN);
    mpfr_div(value, value, target, MPFR_RNDN);
    mpfr_log(value, value, MPFR_RNDN);
  } else {
    mpfr_erf(value, x, MPFR_RNDN);
    mpfr_sub(value, target, value, MPFR_RNDN);
  }
  mpfr_div(value, value, slope, MPFR_RNDN);
  mpfr_add(x, x, value, MPFR_RNDN);
  int changed = !mpfr_zero_p(value) && mpfr_get_exp(value) > mpfr_get_exp(x) - 250;
  mpfr_clears(value, slope, (mpfr_ptr)0);
  return changed;
}

// erf(r) = x, |x| <= 1/2. Newton's method rises to the root of a concave function from below, where x sqrt(pi) / 2 is.
static void solve_erf(mpfr_t r, mpfr_t x) {
  if (mpfr_zero_p(x)) {
    mpfr_set(r, x, MPFR_RNDN);
    return;
  }
  mpfr_t root;
  mpfr_init2(root, ROOM);
  mpfr_const_pi(root, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  mpfr_div_2ui(root, root, 1, MPFR_RNDN);
  mpfr_mul(root, root, x, MPFR_RNDN);
  for (int step = 0; step < 60 && newton_step(root, x, 0); step++)
    ;
  mpfr_set(r, root, MPFR_RNDN);
  mpfr_clear(root);
}

// erfc(r) = y, 0 < y <= 1/2: log(erfc) is concave, and erfc(x) <= exp(-x^2) gives a start beyond the root.
static void solve_erfc(mpfr_t r, mpfr_t y) {
  mpfr_t root;
  mpfr_init2(root, ROOM);
  mpfr_log(root, y, MPFR_RNDN);
  mpfr_neg(root, root, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  for (int step = 0; step < 60 && newton_step(root, y, 1); step++)
    ;
  mpfr_set(r, root, MPFR_RNDN);
  mpfr_clear(root);
}

static void exact_erfcinv(mpfr_t r, mpfr_t *a) {
  mpfr_t rest;
  mpfr_init2(rest, ROOM);
  if (mpfr_nan_p(a[0]) || mpfr_cmp_ui(a[0], 2) > 0 || mpfr_cmp_ui(a[0], 0) < 0)
    mpfr_set_nan(r);
  else if (mpfr_zero_p(a[0]) || mpfr_cmp_ui(a[0], 2) == 0)
    mpfr_set_inf(r, mpfr_zero_p(a[0]) ? 1 : -1);
  else if (mpfr_cmp_d(a[0], 0.5) < 0)
    solve_erfc(r, a[0]);
  else if (mpfr_cmp_d(a[0], 1.5) > 0) {
    mpfr_ui_sub(rest, 2, a[0], MPFR_RNDN);
    solve_erfc(r, rest);
    mpfr_neg(r, r, MPFR_RNDN);
  } else {
    mpfr_ui_sub(rest, 1, a[0], MPFR_RNDN);
    solve_erf(r, rest);
  }
  mpfr_clear(rest);
}

static void exact_erfinv(mpfr_t r, mpfr_t *a) {
  mpfr_t rest;
  mpfr_init2(rest, ROOM);
  mpfr_abs(rest, a[0], MPFR_RNDN);
  if (mpfr_nan_p(a[0]) || mpfr_cmp_ui(rest, 1) > 0)
    mpfr_set_nan(r);
  else if (mpfr_cmp_ui(rest, 1) == 0)
    mpfr_set_inf(r, mpfr_sgn(a[0]));
  else if (mpfr_cmp_d(rest, 0.5) <= 0)
    solve_erf(r, a[0]);
  else {
    mpfr_ui_sub(rest, 1, rest, MPFR_RNDN);
    solve_erfc(r, rest);
    mpfr_setsign(r, r, mpfr_signbit(a[0]), MPFR_RNDN);
  }
  mpfr_clear(rest);
}

static void exact_normcdfinv(mpfr_t r, mpfr_t *a) {
  mpfr_t twice[1], root;
  mpfr_inits2(ROOM, twice[0], root, (mpfr_ptr)0);
  mpfr_mul_2ui(twice[0], a[0], 1, MPFR_RNDN);
  exact_erfcinv(r, twice);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_mul(r, r, root, MPFR_RNDN);
  mpfr_neg(r, r, MPFR_RNDN);
  if (mpfr_zero_p(r))
    mpfr_abs(r, r, MPFR_RNDN);
  mpfr_clears(twice[0], root, (mpfr_ptr)0);
}

// -- modified Bessel functions: the power series, all of whose terms have one sign

static void bessel_i(mpfr_t r, mpfr_t x, unsigned order) {
  if (!mpfr_number_p(x) || mpfr_cmpabs_ui(x, 800) > 0) {
    mpfr_set(r, x, MPFR_RNDN);
    if (!mpfr_nan_p(x))
      mpfr_set_inf(r, order ? mpfr_sgn(x) : 1);
    return;
  }
  mpfr_t quarter, term, sum;
  mpfr_inits2(ROOM, quarter, term, sum, (mpfr_ptr)0);
  mpfr_sqr(quarter, x, MPFR_RNDN);
  mpfr_div_2ui(quarter, quarter, 2, MPFR_RNDN);
  if (order)
    mpfr_div_2ui(term, x, 1, MPFR_RNDN);
  else
    mpfr_set_ui(term, 1, MPFR_RNDN);
  mpfr_set(sum, term, MPFR_RNDN);
  for (unsigned k = 1; !mpfr_zero_p(term) && mpfr_get_exp(term) > mpfr_get_exp(sum) - 220; k++) {
    mpfr_mul(term, term, quarter, MPFR_RNDN);
    mpfr_div_ui(term, term, k * (k + order), MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  }
  mpfr_set(r, sum, MPFR_RNDN);
  mpfr_clears(quarter, term, sum, (mpfr_ptr)0);
}
static void exact_cyl_bessel_i0(mpfr_t r, mpfr_t *a) { bessel_i(r, a[0], 0); }
static void exact_cyl_bessel_i1(mpfr_t r, mpfr_t *a) { bessel_i(r, a[0], 1); }

// -- parts of numbers

static void exact_modf(mpfr_t r, mpfr_t *a) { mpfr_frac(r, a[0], MPFR_RNDN); }
static void exact_frexp(mpfr_t r, mpfr_t *a) {
  mpfr_exp_t exponent;
  mpfr_frexp(&exponent, r, a[0], MPFR_RNDN);
}
static void exact_exponent(mpfr_t r, mpfr_t *a) {
  mpfr_set_si(r, mpfr_regular_p(a[0]) ? mpfr_get_exp(a[0]) : 0, MPFR_RNDN);
}
static void exact_logb(mpfr_t r, mpfr_t *a) {
  if (mpfr_regular_p(a[0]))
    mpfr_set_si(r, mpfr_get_exp(a[0]) - 1, MPFR_RNDN);
  else if (mpfr_zero_p(a[0]))
    mpfr_set_inf(r, -1);
  else
    mpfr_abs(r, a[0], MPFR_RNDN);
}
static void exact_ilogb(mpfr_t r, mpfr_t *a) {
  long special = mpfr_inf_p(a[0]) ? 0x7fffffff : -0x7fffffffL - 1;
  mpfr_set_si(r, mpfr_regular_p(a[0]) ? mpfr_get_exp(a[0]) - 1 : special, MPFR_RNDN);
}
static void exact_nextafter(mpfr_t r, mpfr_t *a) {
  double x = mpfr_get_d(a[0], MPFR_RNDN), y = mpfr_get_d(a[1], MPFR_RNDN);
  mpfr_set_d(r, mpfr_get_prec(r) == SINGLE_PRECISION ? nextafterf(x, y) : nextafter(x, y), MPFR_RNDN);
}

// To 64-bit integers: what doesn't fit becomes the least or the greatest, NaN the least.
static void clamp_to_long(mpfr_t r) {
  if (mpfr_nan_p(r) || mpfr_cmp_si_2exp(r, -1, 63) < 0)
    mpfr_set_si_2exp(r, -1, 63, MPFR_RNDN);
  else if (mpfr_cmp_si_2exp(r, 1, 63) > 0)
    mpfr_set_si_2exp(r, 1, 63, MPFR_RNDN);
  else if (mpfr_zero_p(r))
    mpfr_set_ui(r, 0, MPFR_RNDN);
}
static void exact_lrint(mpfr_t r, mpfr_t *a) {
  mpfr_rint(r, a[0], MPFR_RNDN);
  clamp_to_long(r);
}
static void exact_lround(mpfr_t r, mpfr_t *a) {
  mpfr_round(r, a[0]);
  clamp_to_long(r);
}

// The quotient's last seven bits, with its sign.
static void exact_quotient(mpfr_t r, mpfr_t *a) {
  mpfr_t rest;
  long quotient = 0;
  mpfr_init2(rest, 64);
  mpfr_remquo(rest, &quotient, a[0], a[1], MPFR_RNDN);
  mpfr_set_si(r, mpfr_nan_p(rest) ? 0 : quotient % 128, MPFR_RNDN);
  mpfr_clear(rest);
}

static void by_size(mpfr_t r, mpfr_t *a, int greater) {
  int order = mpfr_cmpabs(a[0], a[1]);
  int unordered = mpfr_nan_p(a[0]) || mpfr_nan_p(a[1]);
  if (order == 0 || unordered)
    (greater ? mpfr_max : mpfr_min)(r, a[0], a[1], MPFR_RNDN);
  else
    mpfr_set(r, a[(order > 0) != greater], MPFR_RNDN);
}
// Of zeros +0, since C leaves open which is the greater.
static void plain_zero(mpfr_t r) {
  if (mpfr_zero_p(r))
    mpfr_set_zero(r, 1);
}
static void exact_fmax(mpfr_t r, mpfr_t *a) {
  mpfr_max(r, a[0], a[1], MPFR_RNDN);
  plain_zero(r);
}
static void exact_fmin(mpfr_t r, mpfr_t *a) {
  mpfr_min(r, a[0], a[1], MPFR_RNDN);
  plain_zero(r);
}
static void exact_maxmag(mpfr_t r, mpfr_t *a) { by_size(r, a, 1); }
static void exact_minmag(mpfr_t r, mpfr_t *a) { by_size(r, a, 0); }
