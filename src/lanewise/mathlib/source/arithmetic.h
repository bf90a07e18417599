// SPDX-License-Identifier: Apache-2.0
// What all functions of the library are made of: bits of numbers, fused multiply-add or its stand-in, exact sums and
// products.
//
// LW_FUSED is 1 where the target multiplies and adds in one rounding (every GPU, every processor since 2013), and 0
// for the form of the library that does without. Nothing is ever contracted or reassociated by the compiler: a fused
// operation is one that is written here.
#ifndef LANEWISE_MATHLIB_ARITHMETIC_H
#define LANEWISE_MATHLIB_ARITHMETIC_H

#ifndef LW_FUSED
#define LW_FUSED 1
#endif

typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;

// Before each function that programs call, and before nothing else: the symbol that kernel IR names.
#define PUBLIC
// Before each function that only the library calls.
#define PRIVATE static inline __attribute__((always_inline))

#define INFINITYF __builtin_inff()
#define INFINITY __builtin_inf()
#define NANF __builtin_nanf("")
#define NAN __builtin_nan("")

PRIVATE u32 bits_f(float x) { return __builtin_bit_cast(u32, x); }
PRIVATE u64 bits(double x) { return __builtin_bit_cast(u64, x); }
PRIVATE float from_bits_f(u32 x) { return __builtin_bit_cast(float, x); }
PRIVATE double from_bits(u64 x) { return __builtin_bit_cast(double, x); }

// a * b + c, where one rounding or two make no difference to what is proven of the result: polynomials.
#if LW_FUSED
PRIVATE float madf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
PRIVATE double mad(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
PRIVATE float madf(float a, float b, float c) { return a * b + c; }
PRIVATE double mad(double a, double b, double c) { return a * b + c; }
#endif

// The polynomial whose coefficients are those of an array, that of x^0 first, by Horner's rule. The array has to be
// constant: unrolled, its elements become immediate operands.
#define POLYNOMIAL(x, coefficients) polynomial(x, coefficients, sizeof(coefficients) / sizeof(*(coefficients)))
#define POLYNOMIALF(x, coefficients) polynomialf(x, coefficients, sizeof(coefficients) / sizeof(*(coefficients)))
PRIVATE float polynomialf(float x, const float *coefficients, i32 count) {
  float sum = coefficients[count - 1];
#pragma clang loop unroll(full)
  for (i32 i = count - 2; i >= 0; i--)
    sum = madf(sum, x, coefficients[i]);
  return sum;
}
PRIVATE double polynomial(double x, const double *coefficients, i32 count) {
  double sum = coefficients[count - 1];
#pragma clang loop unroll(full)
  for (i32 i = count - 2; i >= 0; i--)
    sum = mad(sum, x, coefficients[i]);
  return sum;
}

// An unevaluated sum: |low| is at most half an ulp of high.
typedef struct {
  float high, low;
} pairf;
typedef struct {
  double high, low;
} pair;

// a + b exactly. Source: Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B.
PRIVATE pairf two_sumf(float a, float b) {
  float sum = a + b, part = sum - a;
  return (pairf){sum, (a - (sum - part)) + (b - part)};
}
PRIVATE pair two_sum(double a, double b) {
  double sum = a + b, part = sum - a;
  return (pair){sum, (a - (sum - part)) + (b - part)};
}

// a + b exactly where |a| >= |b| or a is 0. Source: Dekker, A floating-point technique for extending the available
// precision (1971), 4.
PRIVATE pairf fast_two_sumf(float a, float b) {
  float sum = a + b;
  return (pairf){sum, b - (sum - a)};
}
PRIVATE pair fast_two_sum(double a, double b) {
  double sum = a + b;
  return (pair){sum, b - (sum - a)};
}

// a * b exactly, unless it overflows or its last bit is below the smallest denormal. Without fused operations, by
// splitting as Veltkamp and Dekker do, where |a| and |b| must be less than 2^996; floats by way of doubles.
#if LW_FUSED
PRIVATE pairf two_productf(float a, float b) {
  float product = a * b;
  return (pairf){product, __builtin_fmaf(a, b, -product)};
}
PRIVATE pair two_product(double a, double b) {
  double product = a * b;
  return (pair){product, __builtin_fma(a, b, -product)};
}
#else
PRIVATE pairf two_productf(float a, float b) {
  float product = a * b;
  return (pairf){product, (float)((double)a * b - product)};
}
PRIVATE pair split(double x) {
  double scaled = x * 134217729.0, high = scaled - (scaled - x);
  return (pair){high, x - high};
}
PRIVATE pair two_product(double a, double b) {
  double product = a * b;
  pair x = split(a), y = split(b);
  return (pair){product, x.low * y.low - (((product - x.high * y.high) - x.low * y.high) - x.high * y.low)};
}
#endif

// x - quotient * divisor, rounded once or nearly.
#if LW_FUSED
PRIVATE float remainder_of_quotientf(float x, float quotient, float divisor) {
  return __builtin_fmaf(-quotient, divisor, x);
}
#else
PRIVATE float remainder_of_quotientf(float x, float quotient, float divisor) {
  return (float)(x - (double)quotient * divisor);
}
#endif

// 2^n exactly, for n from -126 to 127 and from -1022 to 1023.
PRIVATE float power_of_twof(i32 n) { return from_bits_f((u32)(n + 127) << 23); }
PRIVATE double power_of_two(i32 n) { return from_bits((u64)(n + 1023) << 52); }

#endif
