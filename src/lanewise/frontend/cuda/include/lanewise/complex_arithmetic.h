// SPDX-License-Identifier: Apache-2.0
// What clang calls for a product whose parts are not numbers, and for any quotient, of complex numbers. Sources: ISO C,
// clause G.5.1 (an operand with an infinite part is infinite, whatever its other part is); compiler-rt's manual for the
// names.
#ifndef LANEWISE_COMPLEX_ARITHMETIC_H
#define LANEWISE_COMPLEX_ARITHMETIC_H

#pragma push_macro("__LW_COMPLEX_ARITHMETIC")

// For (a + b i)(c + d i) and (a + b i) / (c + d i). `unit` is the corner of a square that a part points to when its
// number is infinite, `number` a part that counts as zero when it is none. The divisor is brought near 1 by a power of
// two, so that its square neither overflows nor vanishes.
#define __LW_COMPLEX_ARITHMETIC(type, product, quotient, exponent, scale)                                              \
  static __device__ inline type __lw_unit(type x) { return __builtin_copysign(__builtin_isinf(x) ? 1.0 : 0.0, x); }    \
  static __device__ inline type __lw_number(type x) { return __builtin_isnan(x) ? __builtin_copysign(0.0, x) : x; }    \
  extern "C" __device__ inline _Complex type product(type a, type b, type c, type d) {                                 \
    type real = a * c - b * d, imaginary = a * d + b * c;                                                              \
    if (!__builtin_isnan(real) || !__builtin_isnan(imaginary))                                                         \
      return __builtin_complex(real, imaginary);                                                                       \
    bool first = __builtin_isinf(a) || __builtin_isinf(b), second = __builtin_isinf(c) || __builtin_isinf(d);          \
    bool overflows = __builtin_isinf(a * c) || __builtin_isinf(b * d) || __builtin_isinf(a * d) ||                     \
                     __builtin_isinf(b * c);                                                                           \
    if (!first && !second && !overflows)                                                                               \
      return __builtin_complex(real, imaginary);                                                                       \
    a = __lw_number(first ? __lw_unit(a) : a), b = __lw_number(first ? __lw_unit(b) : b);                              \
    c = __lw_number(second ? __lw_unit(c) : c), d = __lw_number(second ? __lw_unit(d) : d);                            \
    type infinity = __builtin_inf();                                                                                   \
    return __builtin_complex(infinity * (a * c - b * d), infinity * (a * d + b * c));                                  \
  }                                                                                                                    \
  extern "C" __device__ inline _Complex type quotient(type a, type b, type c, type d) {                                \
    type power = exponent(__builtin_fmax(__builtin_fabs(c), __builtin_fabs(d)));                                       \
    int by = __builtin_isfinite(power) ? -(int)power : 0;                                                              \
    c = scale(c, by), d = scale(d, by);                                                                                \
    type square = c * c + d * d;                                                                                       \
    type real = scale((a * c + b * d) / square, by), imaginary = scale((b * c - a * d) / square, by);                  \
    if (!__builtin_isnan(real) || !__builtin_isnan(imaginary))                                                         \
      return __builtin_complex(real, imaginary);                                                                       \
    bool first = __builtin_isinf(a) || __builtin_isinf(b), second = __builtin_isinf(c) || __builtin_isinf(d);          \
    type infinity = __builtin_inf();                                                                                   \
    if (square == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b)))                                                   \
      return __builtin_complex((type)__builtin_copysign(infinity, c) * a, (type)__builtin_copysign(infinity, c) * b);  \
    if (first && __builtin_isfinite(c) && __builtin_isfinite(d)) {                                                     \
      a = __lw_unit(a), b = __lw_unit(b);                                                                              \
      return __builtin_complex(infinity * (a * c + b * d), infinity * (b * c - a * d));                                \
    }                                                                                                                  \
    if (second && __builtin_isfinite(a) && __builtin_isfinite(b)) {                                                    \
      c = __lw_unit(c), d = __lw_unit(d);                                                                              \
      return __builtin_complex((type)0 * (a * c + b * d), (type)0 * (b * c - a * d));                                  \
    }                                                                                                                  \
    return __builtin_complex(real, imaginary);                                                                         \
  }

__LW_COMPLEX_ARITHMETIC(float, __mulsc3, __divsc3, ::logbf, ::scalbnf)
__LW_COMPLEX_ARITHMETIC(double, __muldc3, __divdc3, ::logb, ::scalbn)

#pragma pop_macro("__LW_COMPLEX_ARITHMETIC")

#endif
