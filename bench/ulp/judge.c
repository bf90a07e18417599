// SPDX-License-Identifier: Apache-2.0
// Compares results of a function with correctly rounded ones, and keeps the greatest error.
//
// An error is |result - exact value| / ulp, where an ulp is the distance of numbers in the binade of the exact value;
// of a finite number in place of an overflow and the other way round, infinity counting as the next number would.
#include "judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
  int digits, least_exponent; // of 2^exponent, the lowest bit's weight for denormals
  double greatest;
  mpfr_prec_t precision;
} format;

static const format single = {24, -149, FLT_MAX, SINGLE_PRECISION}, twice = {53, -1074, DBL_MAX, DOUBLE_PRECISION};

typedef struct {
  mpfr_t arguments[MOST_ARGUMENTS], result, difference;
} workspace;

static double rounded(mpfr_t value, const format *type) {
  return type == &single ? mpfr_get_flt(value, MPFR_RNDN) : mpfr_get_d(value, MPFR_RNDN);
}

static double power_of_two(int exponent) {
  unsigned long long denormal = 1ULL << ((exponent + 1074) & 63), normal = (unsigned long long)(exponent + 1023) << 52;
  unsigned long long number = exponent < -1022 ? denormal : normal;
  double power;
  memcpy(&power, &number, sizeof power);
  return power;
}

static double ulp_of(double value, const format *type) {
  unsigned long long number;
  memcpy(&number, &value, sizeof number);
  int lowest = (int)(number >> 52 & 2047) - 1022 - type->digits;
  return power_of_two(lowest < type->least_exponent ? type->least_exponent : lowest);
}

// |got - value|, in ulp or as it is; infinite where they are of different kinds.
static double confirmed_error(double got, const format *type, workspace *room, int in_ulp) {
  mpfr_ptr value = room->result, difference = room->difference;
  if (mpfr_nan_p(value) || isnan(got))
    return mpfr_nan_p(value) && isnan(got) ? 0.0 : INFINITY;
  double nearest = rounded(value, type);
  if (got == 0.0 && nearest == 0.0 && !signbit(got) != !signbit(nearest))
    return INFINITY;
  if (mpfr_zero_p(value))
    return in_ulp ? fabs(got) / ulp_of(0, type) : fabs(got);
  if (got == nearest && isinf(got))
    return 0.0;
  if (mpfr_inf_p(value) || (isinf(got) && isinf(nearest)))
    return INFINITY;
  if (isinf(got))
    mpfr_set_si_2exp(difference, got > 0 ? 1 : -1, type == &single ? 128 : 1024, MPFR_RNDN);
  else
    mpfr_set_d(difference, got, MPFR_RNDN);
  mpfr_sub(difference, difference, value, MPFR_RNDN);
  if (in_ulp) {
    mpfr_exp_t lowest = mpfr_get_exp(value) - type->digits;
    mpfr_exp_t greatest = (type == &single ? 128 : 1024) - type->digits;
    lowest = lowest < type->least_exponent ? type->least_exponent : lowest > greatest ? greatest : lowest;
    mpfr_mul_2si(difference, difference, -lowest, MPFR_RNDN);
  }
  return fabs(mpfr_get_d(difference, MPFR_RNDN));
}

static void keep(finding *found, double error, const double *arguments, double got, double exact) {
  found->error = error;
  memcpy(found->arguments, arguments, sizeof found->arguments);
  found->got = got;
  found->exact = exact;
}

static void confirm(const reference *function, const double *arguments, double got, const format *type, int in_ulp,
                    workspace *room, outcome *result) {
  for (int i = 0; i < MOST_ARGUMENTS; i++) {
    mpfr_set_d(room->arguments[i], arguments[i], MPFR_RNDN);
    mpfr_setsign(room->arguments[i], room->arguments[i], signbit(arguments[i]), MPFR_RNDN); // NaN's too
  }
  function->exact(room->result, room->arguments);
  double error = confirmed_error(got, type, room, in_ulp);
  double exact = rounded(room->result, type);
  finding *greatest = in_ulp ? &result->ulp : &result->absolute;
  if (!isfinite(error)) {
    if (result->wrong_count++ < MOST_WRONG)
      keep(&result->wrong[result->wrong_count - 1], error, arguments, got, exact);
  } else if (error > greatest->error)
    keep(greatest, error, arguments, got, exact);
}

// Whether a result may be worse than `greatest`, judged by close + rest, which is off by less than `slack` ulp.
static int suspicious(double got, double close, double rest, const format *type, double slack, int in_ulp,
                      double greatest) {
  double nearest = type == &single ? (float)close : close;
  if (!isfinite(got) || !isfinite(nearest))
    return !(got == nearest || (isnan(got) && isnan(nearest)));
  if (close == 0.0 || got == 0.0)
    return got != nearest || !signbit(got) != !signbit(nearest);
  double unit = in_ulp ? ulp_of(close, type) : 1.0, error = fabs((got - close) - rest);
  return error != 0.0 && !(error + (in_ulp ? slack * unit : 0.0) <= greatest * unit);
}

// What standards say of zeros, infinities and NaN is for `exact` alone.
static int is_special(const double *arguments, int count) {
  for (int i = 0; i < count; i++)
    if (arguments[i] == 0.0 || !isfinite(arguments[i]))
      return 1;
  return 0;
}

static int is_suspicious(const reference *function, const double *arguments, double got, const format *type, int in_ulp,
                         double greatest) {
  if (type == &single && function->close_float)
    return suspicious(got, function->close_float(arguments), 0.0, type, 1e-5, in_ulp, greatest);
  if (type == &twice && function->close_double && LDBL_MANT_DIG > DBL_MANT_DIG) {
    long double extended[MOST_ARGUMENTS + 1];
    for (int i = 0; i <= GOT; i++)
      extended[i] = arguments[i];
    long double value = function->close_double(extended);
    double nearest = (double)value;
    return suspicious(got, nearest, (double)(value - nearest), type, 4e-3, in_ulp, greatest);
  }
  return 1;
}

static void open_room(workspace *room, const format *type) {
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    mpfr_init2(room->arguments[i], 64);
  mpfr_init2(room->result, type->precision);
  mpfr_init2(room->difference, type->precision);
}
static void close_room(workspace *room) {
  for (int i = 0; i < MOST_ARGUMENTS; i++)
    mpfr_clear(room->arguments[i]);
  mpfr_clear(room->result);
  mpfr_clear(room->difference);
}

const reference *find_reference(const char *name) {
  for (int i = 0; i < reference_count; i++)
    if (!strcmp(references[i].name, name))
      return &references[i];
  return 0;
}

static void judge(const reference *function, const format *type, const double *arguments, int count, double got,
                  int argument, double from, double to, int bound_inside, workspace *room, outcome *result) {
  int inside = arguments[argument] >= from && arguments[argument] <= to;
  int in_ulp = inside == bound_inside || !isfinite(arguments[argument]);
  double greatest = in_ulp ? result->ulp.error : result->absolute.error;
  if (is_special(arguments, count) || is_suspicious(function, arguments, got, type, in_ulp, greatest))
    confirm(function, arguments, got, type, in_ulp, room, result);
}

// Results got[i] of the arguments columns[0][i], columns[1][i], ... The bound in ulp holds where the argument of number
// `argument` is in [from, to], or where it isn't.
#define JUDGE(name, number, type)                                                                                      \
  void name(const reference *function, long long count, int columns_count, const number *const *columns,               \
            const number *got, int argument, double from, double to, int bound_inside, outcome *result) {              \
    workspace room;                                                                                                    \
    open_room(&room, &type);                                                                                           \
    for (long long i = 0; i < count; i++) {                                                                            \
      double arguments[MOST_ARGUMENTS + 1] = {[GOT] = got[i]};                                                         \
      for (int column = 0; column < columns_count; column++)                                                           \
        arguments[column] = columns[column][i];                                                                        \
      judge(function, &type, arguments, columns_count, got[i], argument, from, to, bound_inside, &room, result);       \
    }                                                                                                                  \
    result->points += count;                                                                                           \
    close_room(&room);                                                                                                 \
    mpfr_free_cache();                                                                                                 \
  }

JUDGE(judge_floats, float, single)
JUDGE(judge_doubles, double, twice)
