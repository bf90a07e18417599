// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of the 16-bit floating-point types and their pairs, each operation rounded once to the type
// (CUDA Math API, half and bfloat16 arithmetic and comparison functions).
#ifndef LANEWISE_NARROW_ARITHMETIC_H
#define LANEWISE_NARROW_ARITHMETIC_H

#include "lanewise/narrow_types.h"

// A function of scalars and one of pairs with the same text: `result` has the operands as x, y, z of type `Type`, a
// number or two of them, and elements of type `Element`.
#define __LW_NARROW_UNARY(family, name, name2, result)                                                           \
  __LW_NARROW_1(name, __LW_SCALAR_##family, __LW_NATIVE_##family, __LW_NATIVE_##family, result)                  \
  __LW_NARROW_1(name2, __LW_PAIR_##family, __LW_PARTS_##family, __LW_NATIVE_##family, result)
#define __LW_NARROW_BINARY(family, name, name2, result)                                                          \
  __LW_NARROW_2(name, __LW_SCALAR_##family, __LW_NATIVE_##family, __LW_NATIVE_##family, result)                  \
  __LW_NARROW_2(name2, __LW_PAIR_##family, __LW_PARTS_##family, __LW_NATIVE_##family, result)
#define __LW_NARROW_TERNARY(family, name, name2, result)                                                         \
  __LW_NARROW_3(name, __LW_SCALAR_##family, __LW_NATIVE_##family, __LW_NATIVE_##family, result)                  \
  __LW_NARROW_3(name2, __LW_PAIR_##family, __LW_PARTS_##family, __LW_NATIVE_##family, result)

#define __LW_NARROW_1(name, type, native, element, result)                                                       \
  __LW_HOST_DEVICE__ type name(type a) {                                                                         \
    typedef native Type;                                                                                         \
    Type x = __builtin_bit_cast(Type, a), r = result;                                                            \
    return __builtin_bit_cast(type, r);                                                                          \
  }
#define __LW_NARROW_2(name, type, native, element, result)                                                       \
  __LW_HOST_DEVICE__ type name(type a, type b) {                                                                 \
    _Pragma("clang fp contract(off)") typedef native Type;                                                       \
    typedef element Element;                                                                                     \
    Type x = __builtin_bit_cast(Type, a), y = __builtin_bit_cast(Type, b), r = result;                           \
    return __builtin_bit_cast(type, r);                                                                          \
  }
#define __LW_NARROW_3(name, type, native, element, result)                                                       \
  __LW_HOST_DEVICE__ type name(type a, type b, type c) {                                                         \
    typedef native Type;                                                                                         \
    typedef element Element;                                                                                     \
    Type x = __builtin_bit_cast(Type, a), y = __builtin_bit_cast(Type, b), z = __builtin_bit_cast(Type, c);      \
    Type r = result;                                                                                             \
    return __builtin_bit_cast(type, r);                                                                          \
  }

// Clamped to [0, 1], a NaN to 0; clamped to at least 0, where a NaN stays.
#define __LW_SATURATED(x)                                                                                        \
  __builtin_elementwise_minimumnum(__builtin_elementwise_maximumnum(x, (Type)(Element)0), (Type)(Element)1)
#define __LW_RELU(x) __builtin_elementwise_maximum(x, (Type)(Element)0)

#define __LW_NARROW_OPERATION(family, name, operation)                                                           \
  __LW_NARROW_BINARY(family, __h##name, __h##name##2, x operation y)                                             \
  __LW_NARROW_BINARY(family, __h##name##_rn, __h##name##2_rn, x operation y)                                     \
  __LW_NARROW_BINARY(family, __h##name##_sat, __h##name##2_sat, __LW_SATURATED(x operation y))

#define __LW_NARROW_ARITHMETIC(family)                                                                           \
  __LW_NARROW_OPERATION(family, add, +)                                                                          \
  __LW_NARROW_OPERATION(family, sub, -)                                                                          \
  __LW_NARROW_OPERATION(family, mul, *)                                                                          \
  __LW_NARROW_BINARY(family, __hdiv, __h2div, x / y)                                                             \
  __LW_NARROW_TERNARY(family, __hfma, __hfma2, __lw_fused(x, y, z))                                              \
  __LW_NARROW_TERNARY(family, __hfma_sat, __hfma2_sat, __LW_SATURATED(__lw_fused(x, y, z)))                      \
  __LW_NARROW_TERNARY(family, __hfma_relu, __hfma2_relu, __LW_RELU(__lw_fused(x, y, z)))                         \
  __LW_NARROW_UNARY(family, __hneg, __hneg2, -x)                                                                 \
  __LW_NARROW_UNARY(family, __habs, __habs2, __builtin_elementwise_abs(x))                                       \
  __LW_NARROW_BINARY(family, __hmax, __hmax2, __builtin_elementwise_maximumnum(x, y))                            \
  __LW_NARROW_BINARY(family, __hmin, __hmin2, __builtin_elementwise_minimumnum(x, y))                            \
  __LW_NARROW_BINARY(family, __hmax_nan, __hmax2_nan, __builtin_elementwise_maximum(x, y))                       \
  __LW_NARROW_BINARY(family, __hmin_nan, __hmin2_nan, __builtin_elementwise_minimum(x, y))                       \
  __LW_HOST_DEVICE__ __LW_PAIR_##family __hcmadd(__LW_PAIR_##family a, __LW_PAIR_##family b,                     \
                                                 __LW_PAIR_##family c) {                                         \
    typedef __LW_PARTS_##family Parts;                                                                           \
    Parts x = __builtin_bit_cast(Parts, a), y = __builtin_bit_cast(Parts, b), z = __builtin_bit_cast(Parts, c);  \
    z = __lw_fused(Parts{x.x, x.x}, y, z);                                                                       \
    z = __lw_fused(Parts{-x.y, x.y}, Parts{y.y, y.x}, z);                                                        \
    return __builtin_bit_cast(__LW_PAIR_##family, z);                                                            \
  }

// -- comparisons: of scalars, of the two of a pair, and of both; u: true where an operand is a NaN

// `holds` is of numbers, `mask` of pairs, where it gives halfwords of all ones or of zeros.
#define __LW_NARROW_COMPARISON(family, name, holds, mask)                                                        \
  __LW_HOST_DEVICE__ bool __h##name(__LW_SCALAR_##family a, __LW_SCALAR_##family b) {                            \
    __LW_NATIVE_##family x = a.__x, y = b.__x;                                                                   \
    return holds;                                                                                                \
  }                                                                                                              \
  __LW_HOST_DEVICE__ unsigned int __h##name##2_mask(__LW_PAIR_##family a, __LW_PAIR_##family b) {                \
    __LW_PARTS_##family x = __builtin_bit_cast(__LW_PARTS_##family, a);                                          \
    __LW_PARTS_##family y = __builtin_bit_cast(__LW_PARTS_##family, b);                                          \
    return __builtin_bit_cast(unsigned int, mask);                                                               \
  }                                                                                                              \
  __LW_HOST_DEVICE__ __LW_PAIR_##family __h##name##2(__LW_PAIR_##family a, __LW_PAIR_##family b) {               \
    __LW_PARTS_##family x = __builtin_bit_cast(__LW_PARTS_##family, a);                                          \
    __LW_PARTS_##family y = __builtin_bit_cast(__LW_PARTS_##family, b);                                          \
    return __builtin_bit_cast(__LW_PAIR_##family, __builtin_bit_cast(unsigned int, mask) & __LW_ONES_##family);  \
  }                                                                                                              \
  __LW_HOST_DEVICE__ bool __hb##name##2(__LW_PAIR_##family a, __LW_PAIR_##family b) {                            \
    __LW_PARTS_##family x = __builtin_bit_cast(__LW_PARTS_##family, a);                                          \
    __LW_PARTS_##family y = __builtin_bit_cast(__LW_PARTS_##family, b);                                          \
    return __builtin_bit_cast(unsigned int, mask) == 0xffffffffu;                                                \
  }

#define __LW_NARROW_COMPARISONS(family)                                                                          \
  __LW_NARROW_COMPARISON(family, eq, x == y, x == y)                                                             \
  __LW_NARROW_COMPARISON(family, ne, x < y || x > y, (x < y) | (x > y))                                          \
  __LW_NARROW_COMPARISON(family, le, x <= y, x <= y)                                                             \
  __LW_NARROW_COMPARISON(family, ge, x >= y, x >= y)                                                             \
  __LW_NARROW_COMPARISON(family, lt, x < y, x < y)                                                               \
  __LW_NARROW_COMPARISON(family, gt, x > y, x > y)                                                               \
  __LW_NARROW_COMPARISON(family, equ, !(x < y || x > y), ~((x < y) | (x > y)))                                   \
  __LW_NARROW_COMPARISON(family, neu, x != y, x != y)                                                            \
  __LW_NARROW_COMPARISON(family, leu, !(x > y), ~(x > y))                                                        \
  __LW_NARROW_COMPARISON(family, geu, !(x < y), ~(x < y))                                                        \
  __LW_NARROW_COMPARISON(family, ltu, !(x >= y), ~(x >= y))                                                      \
  __LW_NARROW_COMPARISON(family, gtu, !(x <= y), ~(x <= y))                                                      \
  __LW_HOST_DEVICE__ bool __hisnan(__LW_SCALAR_##family a) { return a.__x != a.__x; }                            \
  __LW_HOST_DEVICE__ int __hisinf(__LW_SCALAR_##family a) {                                                      \
    float x = a.__x;                                                                                             \
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;                                          \
  }                                                                                                              \
  __LW_HOST_DEVICE__ __LW_PAIR_##family __hisnan2(__LW_PAIR_##family a) {                                        \
    __LW_PARTS_##family x = __builtin_bit_cast(__LW_PARTS_##family, a);                                          \
    return __builtin_bit_cast(__LW_PAIR_##family, __builtin_bit_cast(unsigned int, x != x) & __LW_ONES_##family); \
  }

#endif
