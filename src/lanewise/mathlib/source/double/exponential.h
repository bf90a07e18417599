// SPDX-License-Identifier: Apache-2.0
// What exponentials are made of: e^x = 2^n e^r with n an integer and |r| <= ln(2)/2, and a polynomial for e^r.
#ifndef LANEWISE_MATHLIB_DOUBLE_EXPONENTIAL_H
#define LANEWISE_MATHLIB_DOUBLE_EXPONENTIAL_H

#include "double/constants.h"

// x lowered to `most`, or raised to `least`; NaN stays.
PRIVATE double clamp(double x, double least, double most) {
  double x_or_most = x > most ? most : x;
  return x_or_most < least ? least : x_or_most;
}

// The nearest integer to x * factor, for |x * factor| < 2^51; one of its neighbours where it lies in the middle.
PRIVATE double rounded_product(double x, double factor) { return mad(x, factor, ROUNDER) - ROUNDER; }

// x * 2^n for an integer n from -2044 to 2046, rounded once if x is a normal number not far from 1. For NaN in place of
// n, x times anything, or NaN.
__attribute__((const)) double __lw_scale_by_power_of_two(double x, double n);

// Where e^x goes: x - n ln(2) and n. The subtraction of n * LN2_HIGH is exact.
typedef struct {
  pair rest;
  double n;
} reduced_exponent;

// For |x| < 1100.
PRIVATE reduced_exponent reduce_exponent(pair x) {
  double n = rounded_product(x.high, LOG2_E);
  double high = mad(-n, LN2_HIGH, x.high), low = mad(-n, LN2_LOW, x.low);
  return (reduced_exponent){fast_two_sum(high, low), n};
}

// (e^r - 1 - r - r^2/2) / r^3 for |r| <= 0.3467: minimax on that interval for an error of 2^-59.3 relative to e^r - 1.
PRIVATE double exponential_cubic(double r) {
  static const double P[] = {
      0x1.5555555555556p-3,  0x1.5555555555557p-5,  0x1.1111111110332p-7,  0x1.6c16c16c154c7p-10, 0x1.a01a01ab31a22p-13,
      0x1.a01a01ac5d3eep-16, 0x1.71de0397d2c26p-19, 0x1.27e4cdc3da1cap-22, 0x1.af4bfd62d5342p-26, 0x1.1f8a335ece6b7p-29,
  };
  return POLYNOMIAL(r, P);
}

// e^r for |r| <= 0.3467, with an error of 0.12 ulp besides the last rounding.
PRIVATE double exponential_near_one(pair r) {
  pair linear = fast_two_sum(1, r.high);
  double quadratic = r.high * r.high * mad(r.high, exponential_cubic(r.high), 0.5);
  return linear.high + (linear.low + mad(r.low, linear.high, quadratic));
}

// e^x, for any x but an infinity whose low part is one too. Clamped arguments give 0 or infinity; 0 as a product of 0,
// since to round another number to it takes processors long.
PRIVATE double exponential(pair x) {
  static const double LEAST = -750;
  double high = clamp(x.high, LEAST, 710);
  reduced_exponent reduced = reduce_exponent((pair){high, high == x.high ? x.low : 0});
  double power = exponential_near_one(reduced.rest);
  return __lw_scale_by_power_of_two(x.high < LEAST ? 0 : power, reduced.n);
}

#endif
