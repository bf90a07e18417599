// SPDX-License-Identifier: Apache-2.0
// What clang calls for a product whose parts are not numbers, and for any quotient, of complex numbers. Sources: ISO C,
// clause G.5.1 (an operand with an infinite part is infinite, whatever its other part is); for the names, the GCC
// Internals manual, "Routines for floating point emulation".
#ifndef LANEWISE_COMPLEX_ARITHMETIC_H
#define LANEWISE_COMPLEX_ARITHMETIC_H

#pragma push_macro("__LW_COMPLEX_ARITHMETIC")

// For (a + b i)(c + d i) and (a + b i) / (c + d i). `unit` is the corner of a square that a part points to when its
// number is infinite, `number` a part that counts as zero when it is none. The divisor is brought near 1 by a power of
// two, `scale`, so that its square neither overflows nor vanishes. `fraction`: bits of it in the format; `last`: the
// exponent of infinities.
#define __LW_COMPLEX_ARITHMETIC(type, bits, fraction, f, letter)                                                     \
  static __device__ inline type __lw_unit(type x) { return __builtin_copysign##f(__builtin_isinf(x) ? 1 : 0, x); }   \
  static __device__ inline type __lw_number(type x) { return __builtin_isnan(x) ? __builtin_copysign##f(0, x) : x; } \
  extern "C" __device__ inline _Complex type __mul##letter##c3(type a, type b, type c, type d) {                     \
    type real = a * c - b * d, imaginary = a * d + b * c;                                                            \
    if (!__builtin_isnan(real) || !__builtin_isnan(imaginary))                                                       \
      return __builtin_complex(real, imaginary);                                                                     \
    bool first = __builtin_isinf(a) || __builtin_isinf(b), second = __builtin_isinf(c) || __builtin_isinf(d);        \
    bool overflows = __builtin_isinf(a * c) || __builtin_isinf(b * d) || __builtin_isinf(a * d) ||                   \
                     __builtin_isinf(b * c);                                                                         \
    if (!first && !second && !overflows)                                                                             \
      return __builtin_complex(real, imaginary);                                                                     \
    a = __lw_number(first ? __lw_unit(a) : a), b = __lw_number(first ? __lw_unit(b) : b);                            \
    c = __lw_number(second ? __lw_unit(c) : c), d = __lw_number(second ? __lw_unit(d) : d);                          \
    type infinity = __builtin_inf##f();                                                                              \
    return __builtin_complex(infinity * (a * c - b * d), infinity * (a * d + b * c));                                \
  }                                                                                                                  \
  extern "C" __device__ inline _Complex type __div##letter##c3(type a, type b, type c, type d) {                     \
    bits last = ((bits)1 << (8 * sizeof(type) - 1 - fraction)) - 1;                                                  \
    type larger = __builtin_fmax##f(__builtin_fabs##f(c), __builtin_fabs##f(d));                                     \
    bits exponent = __builtin_bit_cast(bits, larger) >> fraction;                                                    \
    bits opposite = exponent == last ? last / 2 : exponent == last - 1 ? 1 : last - 1 - exponent;                    \
    type scale = __builtin_bit_cast(type, opposite << fraction);                                                     \
    c *= scale, d *= scale;                                                                                          \
    type square = c * c + d * d;                                                                                     \
    type real = (a * c + b * d) / square * scale, imaginary = (b * c - a * d) / square * scale;                      \
    if (!__builtin_isnan(real) || !__builtin_isnan(imaginary))                                                       \
      return __builtin_complex(real, imaginary);                                                                     \
    bool first = __builtin_isinf(a) || __builtin_isinf(b), second = __builtin_isinf(c) || __builtin_isinf(d);        \
    type infinity = __builtin_inf##f();                                                                              \
    if (square == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b)))                                                 \
      return __builtin_complex(__builtin_copysign##f(infinity, c) * a, __builtin_copysign##f(infinity, c) * b);      \
    if (first && __builtin_isfinite(c) && __builtin_isfinite(d)) {                                                   \
      a = __lw_unit(a), b = __lw_unit(b);                                                                            \
      return __builtin_complex(infinity * (a * c + b * d), infinity * (b * c - a * d));                              \
    }                                                                                                                \
    if (second && __builtin_isfinite(a) && __builtin_isfinite(b)) {                                                  \
      c = __lw_unit(c), d = __lw_unit(d);                                                                            \
      return __builtin_complex((type)0 * (a * c + b * d), (type)0 * (b * c - a * d));                                \
    }                                                                                                                \
    return __builtin_complex(real, imaginary);                                                                       \
  }

__LW_COMPLEX_ARITHMETIC(float, unsigned, 23, f, s)
__LW_COMPLEX_ARITHMETIC(double, unsigned long long, 52, , d)

#pragma pop_macro("__LW_COMPLEX_ARITHMETIC")

#endif
