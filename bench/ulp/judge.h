// SPDX-License-Identifier: Apache-2.0
// What the judge knows of a function, and what it finds out about it.
#ifndef ULP_JUDGE_H
#define ULP_JUDGE_H

#include <mpfr.h>

enum { MOST_ARGUMENTS = 4, GOT = MOST_ARGUMENTS, MOST_WRONG = 4, SINGLE_PRECISION = 120, DOUBLE_PRECISION = 180 };

// Two references for each function. `exact` gives the value to the precision of its result; `close`, several times
// faster, to some 2^-50 for floats and 2^-60 for doubles: it says where an error may be greater than what was found so
// far, and `exact` has the last word there. Inverses start from the result that is judged, which is argument GOT. The
// precision of `result` tells `exact` the type, where that matters.
typedef struct {
  const char *name;
  void (*exact)(mpfr_t result, mpfr_t *arguments);
  double (*close_float)(const double *arguments);
  long double (*close_double)(const long double *arguments);
} reference;

extern const reference references[];
extern const int reference_count;

typedef struct {
  double error, arguments[MOST_ARGUMENTS], got, exact;
} finding;

typedef struct {
  finding ulp;      // greatest error in ulp, where the bound holds
  finding absolute; // greatest absolute error, elsewhere
  long long points, wrong_count;
  finding wrong[MOST_WRONG]; // NaN, infinities and zeros that should be something else or have the other sign
} outcome;

#endif
